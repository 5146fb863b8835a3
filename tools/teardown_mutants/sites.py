# SPDX-License-Identifier: Apache-2.0
"""The reference's calls that tear something down, and the mutants that are made of each.

A site is a call of a driver entry in a function that tears down, or of an owner's own teardown (Close, Release, ...).
A function tears down when it calls a driver entry that destroys something or takes a context off the stack. The list is
closed: whatever is written like that in a source of the reference is a site, error paths included.

  remove     the call is not made and counts as done
  duplicate  the call is made twice; the second one's result is dropped
  swap       the call and the next one of its function trade places
"""
import dataclasses
import pathlib
import re

from cpp_source import Source

_ENTRY = re.compile(r"(?<=[.>])(cu[A-Z]\w*)\(")
# `release` is the function that an owner is handed; a unique_ptr's gives up no driver object.
_OWNERS = re.compile(r"\b(Close|Release|Prepare|Destroy|Free|Leave)\(|(?<![.>])\b(release)\(")
_TABLE_ROW = re.compile(r"^FD_API\((\w+),\s*(\w+),\s*\d+,\s*\w+,\s*(\w+)", re.M)
# What a port is made of, and the function of its table.
PORT_OF_FOLDER = {
    "driver": "ReferencePort",
    "resource": "ReferencePort",
    "framework": "ReferencePort",
    "extractor": "ReferencePort",
    "port": "ReferencePort",
    "callers": "CallersPort",
    "buffer_recipe": "BufferRecipePort",
    "primary_context": "PrimaryContextPort",
}
# Programs and tests: no part of a port.
_NO_PART = re.compile(r"_(test|benchmark)\.cc$|/(buffer_publisher|culprit_score)\.cc$")


@dataclasses.dataclass(frozen=True)
class Site:
    file: str  # below the root
    function: str
    line: int
    call: tuple  # offsets of the expression
    statement: tuple  # offsets of the statement
    text: str  # of the expression, on one line


@dataclasses.dataclass(frozen=True)
class Mutant:
    key: str  # file: function: operator: text; a second one alike has #2 after it
    file: str
    function: str
    line: int
    operator: str
    text: str
    port: str
    changes: tuple  # ((start, end, put), ...), ascending


def destroying_entries(root):
    """Names that the driver table looks up for what destroys something or pops a context."""
    rows = _TABLE_ROW.findall((root / "fakedriver/abi/driver_api.def").read_text())
    return {lookup for _, lookup, effect in rows if effect == "kDestroys"} | {"cuCtxPopCurrent"}


def one_line(text):
    return re.sub(r"\s+", " ", text).strip()


def sources(root):
    """(path below the root, port) of every source that a port is made of, in order."""
    for folder, port in PORT_OF_FOLDER.items():
        for path in sorted((root / "reference_impl" / folder).rglob("*.cc")):
            name = path.relative_to(root).as_posix()
            if not _NO_PART.search(name):
                yield name, port


def sites_of(file, source, destroying):
    """The sites of one file, in order."""
    calls = [(match.start(1), match.end() - 1, match.group(1)) for match in _ENTRY.finditer(source.code)]
    tearing = {source.function_at(at) for at, _, entry in calls if entry in destroying}
    calls = [(at, bracket) for at, bracket, _ in calls if source.function_at(at) in tearing]
    calls += [(match.start(match.lastindex), match.end() - 1) for match in _OWNERS.finditer(source.code)]
    found = []
    for name_at, bracket in sorted(calls):
        function = source.function_at(name_at)
        if function is None or source.code[name_at - 1] in ":~":
            continue
        call = (source.start_of_expression(name_at), source.end_of_call(bracket))
        statement = source.statement_around(call[0])
        # A statement of its own has no result: it gives something back to a pool and cannot fail.
        if statement == (call[0], call[1] + 1):
            continue
        found.append(Site(file, function[0], source.line(call[0]), call, statement, one_line(source.text[slice(*call)])))
    return found


def _bound_to_statement(site, source):
    """Whether the call uses a name that only its statement has: a loop's variable or a lambda's parameter."""
    before = source.code[site.statement[0] : site.call[0]]
    lists = re.findall(r"^for \(([^:;]*):|\[[^\]]*\]\(([^()]*)\)", before)
    names = set(re.findall(r"\w+", " ".join(text for pair in lists for text in pair)))
    return not names.isdisjoint(re.findall(r"\w+", source.code[slice(*site.call)]))


def _swap(site, other, source):
    """The changes that exchange two calls; whole statements where one of them cannot leave its own."""
    whole = _bound_to_statement(site, source) or _bound_to_statement(other, source)
    first, second = (site.statement, other.statement) if whole else (site.call, other.call)
    if first[1] > second[0]:
        return None  # one holds the other
    texts = source.text[slice(*first)], source.text[slice(*second)]
    return None if texts[0] == texts[1] else ((*first, texts[1]), (*second, texts[0]))


def mutants_of(root):
    """Every mutant, in the order of the sources."""
    root = pathlib.Path(root)
    destroying = destroying_entries(root)
    mutants, seen = [], {}
    for file, port in sources(root):
        source = Source((root / file).read_text())
        sites = sites_of(file, source, destroying)
        for number, site in enumerate(sites):
            call = source.text[slice(*site.call)]
            twice = f"[&] {{ auto once = {call}; static_cast<void>({call}); return once; }}()"
            made = [("remove", site.text, ((*site.call, "Status()"),)), ("duplicate", site.text, ((*site.call, twice),))]
            following = sites[number + 1] if number + 1 < len(sites) else None
            if following and following.function == site.function:
                if changes := _swap(site, following, source):
                    made.append(("swap", f"{site.text} <-> {following.text}", changes))
            for operator, text, changes in made:
                key = f"{file.removeprefix('reference_impl/')}: {site.function}: {operator}: {text}"
                seen[key] = seen.get(key, 0) + 1
                if seen[key] > 1:
                    key += f" #{seen[key]}"
                mutants.append(Mutant(key, file, site.function, site.line, operator, text, port, changes))
    return mutants


def apply(text, changes):
    """The text with the changes put in."""
    for start, end, put in reversed(changes):
        text = text[:start] + put + text[end:]
    return text
