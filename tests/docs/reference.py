#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reference.py [--update] ROOT: docs/reference/README.md has an entry for every name that cartwright.hpp exports and for
those of cartwright::linear's solver, docs/reference/comm.md for every type at the top of the floor comm; what an entry
says is what the header says: its comment, its public declarations, and the example of that name in a program of
docs/reference. --update writes the entries anew.

An entry is `<!-- entry: NAME HEADER [DECLARATION [MEMBER…]] -->` … `<!-- end -->`. Without members all public ones are
shown."""
import pathlib
import re
import sys
import textwrap

INCLUDES = {floor: f"framework/{floor}/include/cartwright" for floor in ("rt", "mapping", "comm", "grid", "linear")}
ENTRY = re.compile(r"(<!-- entry: ([^>]+?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
NOISE = re.compile(r"\[\[nodiscard\]\]|\bKOKKOS_(?:FORCE)?INLINE_FUNCTION\b|\bCARTWRIGHT_BOTH_SIDES\b|\b(?:inline|constexpr|noexcept|override|virtual)\b")
# Names that programs use without `using`: of linear systems.
LINEAR = ["cw::linear::" + name for name in
          ("Diffusion", "DiffusionOptions", "Stencil", "Solver", "Options", "MultigridOptions", "Result", "schema",
           "method_schema", "Newton", "NewtonOptions", "newton_schema")]


class Declaration:
    """One declaration of a header: its comment, its text without bodies, and of a class what is inside."""

    def __init__(self, comment, head, body, trailing):
        self.comment, self.head, self.body, self.trailing = comment, head, body, trailing
        found = re.search(r"\b(?:class|struct|enum class)\s+(?:\[\[nodiscard\]\]\s*)?(\w+)", strip_template(head))
        self.is_type = bool(found) and "(" not in strip_template(head).split("{")[0].replace("[[", "").split(found[1])[0]
        self.name = found[1] if self.is_type else name_of(head)

    def signature(self):
        text = " ".join(NOISE.sub(" ", re.sub(r"//[^\n]*", "", self.head)).split())
        text = re.sub(r"\s*: \w+\(.*$", "", text) if self.body is not None and not self.is_type else text
        text = re.sub(r"\s+([,;)>&*])", r"\1", text).replace("( ", "(").replace("explicit ", "").strip()
        return text.rstrip(" ;") + ";"


def strip_template(text):
    """Without the leading `template <…>` and `requires(…)`."""
    text = text.strip()
    while begin := re.match(r"template\b|requires\(", text):
        opening, end = "()" if begin[0][-1] == "(" else "<>"
        depth = 0
        for at, sign in enumerate(text):
            depth += (sign == opening) - (sign == end and text[at - 1] != "-")
            if sign == end and depth == 0:
                text = text[at + 1:].strip()
                break
    return text


def name_of(head):
    text = strip_template(NOISE.sub(" ", head))
    found = re.search(r"(operator\s*(?:\(\)|\[\]|[^\s\w(]+)|~?\w+)\s*\(", text)
    if found:
        return found[1].replace(" ", "")
    found = re.search(r"(\w+)(?:\[\w+\])?\s*(?:=.*|\{.*)?;?\s*$", text, re.DOTALL)
    return found[1] if found else ""


def declarations(text):
    """Those of a namespace's or class's text, in order; private ones of a class aren't among them."""
    at, comment, public = 0, [], True
    while at < len(text):
        line_end = text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        line = text[at:line_end].strip()
        if not line or line.startswith("#") or (line.startswith("//") and not line.startswith("///")):
            comment = [] if not line else comment
            at = line_end + 1
        elif line.startswith("///"):
            if not line.startswith("///     "):  # code: the entry has an example
                comment.append(line[3:].strip())
            at = line_end + 1
        elif re.fullmatch(r"(public|private|protected):", line):
            public, comment, at = line == "public:", [], line_end + 1
        elif line.startswith("}"):
            at = line_end + 1
        elif line.startswith("namespace"):
            comment, at = [], text.index("{", at) + 1
        else:
            head, body, at = one_declaration(text, at)
            trailing = re.match(r"[ \t]*///<\s*(.*(?:\n\s*///<.*)*)", text[at:])
            after = re.match(r"[ \t]*(?:///?.*)?\n?", text[at:])
            at += after.end() if after else 0
            if public:
                yield Declaration(" ".join(" ".join(comment).split()), head, body, trailing[1] if trailing else "")
            comment = []


def one_declaration(text, begin):
    """(its text up to a body or the end, the body or None, where it ends)"""
    depth, at = 0, begin
    while at < len(text):
        sign = text[at]
        if text.startswith("//", at):
            at = text.find("\n", at)
            continue
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif sign == ";" and depth == 0:
            return text[begin:at + 1], None, at + 1
        elif sign == "{":
            end = closing(text, at)
            head = text[begin:at]
            is_value = depth > 0 or re.search(r"(=|\w)\s*$", head) and re.match(r"\s*[;,)]", text[end:]) and \
                not re.search(r"\b(class|struct|enum)\b", strip_template(head))
            is_initializer = re.search(r"[):]\s*:|[,)]\s*:\s", head) and re.match(r"\s*[,{]", text[end:])
            if is_value or is_initializer:
                at = end
                continue
            after = re.match(r"\s*;", text[end:])
            return head, text[at + 1:end - 1], end + (after.end() if after else 0)
        at += 1
    return text[begin:], None, len(text)


def closing(text, at):
    depth = 0
    while True:
        if text.startswith("//", at):
            at = text.find("\n", at)
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
        if depth == 0:
            return at


def wrapped(line):
    return textwrap.wrap(line, 110, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False) or [""]


def comment_lines(member):
    return textwrap.wrap(member.comment, 110, initial_indent="// ", subsequent_indent="// ", break_on_hyphens=False)


def enumerators(member):
    """One after the other; those with notes each on a line of its own."""
    head = member.signature().rstrip(";")
    if "///<" not in member.body:
        return wrapped(f"{head} {{{' '.join(member.body.split())}}};")
    lines = []
    for line in re.sub(r"\s*\n\s*///<", "", member.body).split("\n"):
        if line.strip():
            lines += ["  " + part for part in wrapped(re.sub(r"\s*///<\s*", "  // ", line.strip()))]
    return [head + " {", *lines, "};"]


def shown(member):
    lines = comment_lines(member)
    signature = member.signature()
    if member.is_type and member.body is not None and "enum" in member.head:
        return lines + enumerators(member)
    if member.is_type and member.body is not None and any(m.name for m in inner_of(member)):
        return lines + [signature.rstrip(";") + " {", *("  " + line for m in inner_of(member) for line in shown(m)), "};"]
    note = " ".join(re.sub(r"\s*///<\s*", " ", member.trailing).split())
    return lines + wrapped(signature + (f"  // {note}" if note else ""))


def inner_of(member):
    return [each for each in declarations(member.body) if is_for_users(each)]


def is_for_users(member):
    """Not what only the compiler, or its errors, need."""
    text = member.head.strip()
    return not (member.name.startswith("~") or text.startswith(("friend class", "using ", "extern", "static_assert"))
                or re.search(r"refused::|= (?:delete|default)|&& other\) noexcept|operator=\(", text))


def examples(tour):
    found = {}
    for names, text in re.findall(r"^ *// example: ([^\n]*)\n(.*?)^ *// end\n", tour, re.DOTALL | re.MULTILINE):
        for name in names.split():
            found[name] = textwrap.dedent(text).strip("\n")
    return found


def comment_text(declaration):
    return textwrap.fill(declaration.comment, 118, break_long_words=False, break_on_hyphens=False)


def entry(root, words, snippets, used, names_header):
    name, header, *rest = words.split()
    text = (root / INCLUDES[header.split("/")[0]] / header).read_text()
    wanted = rest[0] if rest else name.split("::")[-1]
    here = [d for d in declarations(text) if d.name == wanted and is_for_users(d)
            and not (d.is_type and d.body is None)]
    here = [d for d in here if d.is_type] or here
    if not here:
        raise SystemExit(f"{header} declares no '{wanted}'")
    lines = [f"### `{name}`", ""]
    first = here[0]
    code = []
    if first.is_type:
        lines += [comment_text(first), ""] if first.comment else []
        members = inner_of(first) if "enum" not in first.head else []
        if rest[1:]:
            unknown = set(rest[1:]) - {m.name for m in members}
            if unknown:
                raise SystemExit(f"{wanted} in {header} has no public {', '.join(sorted(unknown))}")
            members = [m for m in members if m.name in rest[1:]]
        if "enum" in first.head:
            code = shown(first)[len(comment_lines(first)):]
        else:
            code = wrapped(first.signature().rstrip(";") + " {")
            for member in members:
                code += ["  " + line for line in shown(member)]
            code.append("};")
    else:
        lines += [comment_text(first), ""] if first.comment else []
        code += wrapped(first.signature())
        for each in here[1:]:
            if each.signature() != first.signature():  # declared before it is defined
                code += shown(each)
    lines += ["```cpp", *([f"#include <cartwright/{header}>", ""] if names_header else []), *code, "```", ""]
    if name in snippets and snippets[name] in used:
        lines += [f"Example: [{used[snippets[name]]}](#{used[snippets[name]].lower().replace(':', '')}).", ""]
    elif name in snippets:
        used[snippets[name]] = name
        lines += ["Example:", "", "```cpp", snippets[name], "```", ""]
    return "\n".join(lines)


def names_for_solvers(root):
    """Those that need an entry, and those of them that need an example: all."""
    exported = re.findall(r"^using (?:grid|rt)::(\w+);", (root / "framework/grid/include/cartwright/cartwright.hpp").read_text(),
                          re.MULTILINE)
    wanted = ["cw::" + name for name in exported] + LINEAR
    return wanted, wanted


def names_for_communication(root):
    """Types at the top of the floor; classes need an example."""
    found = [each for header in sorted((root / INCLUDES["comm"] / "comm").glob("*.hpp"))
             for each in declarations(header.read_text()) if each.is_type and each.body is not None]
    classes = [each for each in found if strip_template(each.head).startswith("class")]
    return ["comm::" + each.name for each in found], ["comm::" + each.name for each in classes]


def faults_of(root, page, names, snippets, update):
    """What is wrong with a page; with `update` its entries are written anew. Beside cartwright.hpp entries name their header."""
    file = root / "docs/reference" / page
    text, used = file.read_text(), {}
    fresh = ENTRY.sub(lambda m: m[1] + entry(root, m[2], snippets, used, page != "README.md") + m[4], text)
    entries = {m[2].split()[0] for m in ENTRY.finditer(text)}
    wanted, shown_at_work = names
    yield from (f"{page}: {name} has no entry: add <!-- entry: {name} HEADER --> and <!-- end --> where it belongs, then --update"
                for name in wanted if name not in entries)
    yield from (f"{page}: {name} has no example: mark one in a program of docs/reference"
                for name in shown_at_work if name not in snippets)
    if update:
        file.write_text(fresh)
    elif fresh != text:
        yield f"{page}: entries differ from the headers or from the programs; mend it with: {sys.argv[0]} --update {root}"


def main(arguments):
    root, update = pathlib.Path(arguments[-1]), "--update" in arguments
    snippets = examples("\n".join(file.read_text() for file in sorted((root / "docs/reference").glob("*.cpp"))))
    faults = [*faults_of(root, "README.md", names_for_solvers(root), snippets, update),
              *faults_of(root, "comm.md", names_for_communication(root), snippets, update)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


sys.exit(main(sys.argv[1:]))
