"""The small nodes of lessons 1 to 3."""

from support_desk.first_steps import acknowledge, receive, record, suggest


def test_each_node_returns_only_the_keys_that_it_changes():
    assert receive({"text": "  help me\n"}) == {"text": "help me", "trace": ["receive"]}
    assert acknowledge({"text": "help   me"}) == {
        "reply": "Thank you. We received your ticket (2 words).", "trace": ["acknowledge"],
    }
    assert record({"category": "setup"}) == {"reply": "Your ticket is filed under setup.", "trace": ["record"]}
    assert suggest({"category": "hardware"}) == {
        "reply": "Please look at the hardware shelf of our notes.", "trace": ["suggest"],
    }
