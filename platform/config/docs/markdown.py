"""Markdown as the site shows it: headings with anchors, tables that scroll, code that can be copied."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
FILE = "file"  # a link that stands alone and is shown with what is in the file


@dataclass(frozen=True)
class Heading:
    anchor: str
    level: int
    text: str


@dataclass(frozen=True)
class Rendered:
    """A page without its title, which stands above everything else."""

    title: str
    body: SafeString
    headings: list[Heading]


class Surroundings(Protocol):
    """What Markdown cannot know: where links lead, how large pictures are, which files are shown."""

    def address_of(self, link: str) -> str: ...

    def picture(self, link: str) -> dict[str, str]: ...

    def text_of(self, link: str) -> str | None: ...


def rendered(source: str, around: Surroundings) -> Rendered:
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer).enable("table")
    tokens = with_files(parser.parse(source), around)
    title, *headings = name_headings(tokens)
    end = next(at for at, token in enumerate(tokens) if token.type == "heading_close")
    body = parser.renderer.render(tokens[end + 1 :], parser.options, {"around": around})
    # The parser escapes all it is given, and lets no HTML through.
    return Rendered(title.text, mark_safe(body), headings)  # noqa: S308


def name_headings(tokens: Sequence[Token]) -> list[Heading]:
    """Gives every heading its anchor; a text that comes again is counted."""
    seen: Counter[str] = Counter()
    headings = []
    for opening, inline in itertools.pairwise(tokens):
        if opening.type == "heading_open":
            text = "".join(child.content for child in inline.children or [])
            anchor = anchor_of(text)
            name = f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor
            seen[anchor] += 1
            opening.attrSet("id", name)
            headings.append(Heading(name, int(opening.tag[1]), text))
    return headings


def anchor_of(text: str) -> str:
    """The name of a heading within its page, as where the repository is shown."""
    return NOT_IN_ANCHORS.sub("", text.lower()).replace(" ", "-")


def with_files(tokens: list[Token], around: Surroundings) -> list[Token]:
    """In the place of a paragraph that is nothing but a link to a file, the file."""
    found: list[Token] = []
    for at, token in enumerate(tokens):
        found.append(token)
        if token.type == "paragraph_close" and (file := file_of(tokens[at - 1], around)):
            found[-3:] = [file]
    return found


def file_of(inline: Token, around: Surroundings) -> Token | None:
    match inline.children:
        case [Token(type="link_open") as link, Token(type="text") as name, Token()]:
            address = str(link.attrGet("href"))
            text = around.text_of(address)
            meta = {"name": name.content, "address": around.address_of(address)}
            return Token(FILE, "", 0, content=text, meta=meta) if text is not None else None
    return None


class Renderer(RendererHTML):
    """Writes what differs from plain HTML; a method is called for the tokens of its name."""

    def heading_close(
        self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any
    ) -> str:
        anchor = tokens[at - 2].attrGet("id")
        link = '<a class="anchor" href="#{}" tabindex="-1" aria-hidden="true">#</a></{}>\n'
        return format_html(link, anchor, tokens[at].tag)

    def th_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        """The corner of a table that has names on both sides is no heading."""
        if not tokens[at + 1].content:
            tokens[at].tag = tokens[at + 2].tag = "td"
        return self.renderToken(tokens, at, options, env)

    def table_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        return '<div class="scrolls" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        return "</table></div>\n"

    def fence(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        return code(tokens[at].content)

    def code_block(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        return code(tokens[at].content)

    def file(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        caption = (
            '<figure class="file"><figcaption><a href="{address}">{name}</a></figcaption>{text}'
        )
        text = code(tokens[at].content)
        return format_html(f"{caption}</figure>\n", text=text, **tokens[at].meta)

    def link_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        tokens[at].attrSet("href", env["around"].address_of(str(tokens[at].attrGet("href"))))
        return self.renderToken(tokens, at, options, env)

    def image(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        about = env["around"].picture(str(tokens[at].attrGet("src")))
        picture = '<img src="{src}" width="{width}" height="{height}" alt="{alt}" loading="lazy">'
        return format_html(picture, alt=tokens[at].content, **about)


def code(text: str) -> str:
    return format_html('<div class="copy"><pre class="code" tabindex="0">{}</pre></div>\n', text)
