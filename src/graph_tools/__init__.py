"""Read any compiled LangGraph graph and draw it: model, Mermaid, SVG."""
