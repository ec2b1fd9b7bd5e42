"""Draw the graph of a lesson, of all lessons, or any other: python tools/render_graphs.py --help"""

if __name__ == "__main__":  # whichever Python runs this file, go on with the one that has the course
    import pathlib, runpy
    runpy.run_path(str(pathlib.Path(__file__).resolve().parents[1] / "tools" / "use_venv.py"))

from course.drawings import main

if __name__ == "__main__":
    main()
