"""What mkdocs asks when it makes a site: the files outside docs/ that pages link to, and pages as it reads them.

The pages are written for GitHub. They link to files by their place in the repository, and README.md links into docs/.
In the site, files outside docs/ lie in the folder `repository`.
"""

import re
from pathlib import Path
from posixpath import relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LINK = re.compile(r"(?<=\]\()[^()#\s:]+(?=[)#])")  # the path of a link, which names no protocol
FENCED = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r" *(-|\d+\.) ")
INDENT = re.compile(r"^ +(?=\S)")
CODE = re.compile(r"`[^`]+`")


def place_of(path: Path) -> str:
    """Return where a file of the repository lies in the site, as a path from the site's root."""
    inside = path.is_relative_to(DOCS)
    return path.relative_to(DOCS).as_posix() if inside else f"repository/{path.relative_to(ROOT).as_posix()}"


def linked_from(source: Path) -> dict[str, Path]:
    """Return the files of the repository that a page links to, by what the page writes."""
    written = LINK.findall(source.read_text(encoding="utf-8"))
    paths = {link: (source.parent / link).resolve() for link in written}
    return {link: path for link, path in paths.items() if path.is_file() and path.is_relative_to(ROOT)}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the files outside docs/ that pages link to, also those that the added pages link to."""
    unread = files.documentation_pages()
    while unread:
        for path in linked_from(Path(unread.pop().abs_src_path)).values():
            if not files.get_file_from_path(place_of(path)):
                file = File.generated(config, place_of(path), abs_src_path=str(path))
                files.append(file)
                unread += [file] if file.is_documentation_page() else []
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return a page whose links lead to where files lie in the site, and that mkdocs shows as GitHub does.

    A link that leads nowhere stays as it is, for mkdocs to refuse.
    """
    paths = linked_from(Path(page.file.abs_src_path))
    folder = Path(page.file.src_uri).parent.as_posix()
    linked = LINK.sub(lambda link: relpath(place_of(paths[link[0]]), folder) if link[0] in paths else link[0], markdown)
    parts = FENCED.split(linked)  # every other one is a block of code
    parts[::2] = map(as_mkdocs_reads, parts[::2])
    return "".join(parts)


def as_mkdocs_reads(text: str) -> str:
    """Return Markdown as mkdocs reads it: lists indented by four and apart from text above, bars in code as they are.

    On GitHub a list is indented by the width of an item's mark, and a bar in a table is written with a backslash.
    """
    lines: list[str] = []
    behind_text = False  # whether there was text since the last empty line, and no item
    for line in text.split("\n"):
        is_item = ITEM.match(line)
        if is_item and behind_text:
            lines.append("")
        is_first = not lines or not lines[-1]
        behind_text = bool(line) and not is_item and (is_first or behind_text)
        indented = INDENT.sub(lambda blanks: " " * (-(-len(blanks[0]) // 4) * 4), line)
        lines.append(CODE.sub(lambda code: code[0].replace(r"\|", "|"), indented) if line.startswith("|") else indented)
    return "\n".join(lines)
