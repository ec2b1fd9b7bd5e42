from support_desk.store import Store
import sqlite3
def test_open(tmp_path):
    Store(tmp_path/"a.sqlite").add_ticket("x")
def test_open3(tmp_path):
    with sqlite3.connect(tmp_path/"a.sqlite") as c: c.execute("select 1")
def test_ok(tmp_path):
    with Store(tmp_path/"a.sqlite") as s: s.add_ticket("x")
