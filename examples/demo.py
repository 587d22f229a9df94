"""Extract the bundled page, print its text, and show what was kept and what was dropped."""

from pathlib import Path

import thresher
from thresher.viewer.explain import explain

PAGE = Path(__file__).parent / "demo.html"
FOLDER = Path("demo-output")


def main() -> None:
    document = thresher.extract(PAGE, url="https://puddle.example/2024/rain-gauge")
    print(document.text)

    FOLDER.mkdir(exist_ok=True)
    markdown, explained = FOLDER / "demo.md", FOLDER / "explained.html"
    markdown.write_text(document.markdown() + "\n", encoding="utf-8")
    explained.write_text(explain(document), encoding="utf-8")

    print(f"\n{'-' * 72}")
    print(f"{document.title}: {document.selection.words} words kept by {document.method}.")
    print(f"As Markdown:           {markdown}")
    print(f"Kept and dropped:      {explained} (open it in a browser)")


if __name__ == "__main__":
    main()
