"""Proposals reviewed one by one at the terminal: the evidence, then one key each. Decisions are applied as by
`accept`.
"""

from collections.abc import Callable, Sequence

import typer

from cli.inputs.concept_names import chosen_language
from cli.render.language import as_told, later, tr
from cli.render.terminal import one_line, say, wrapped
from ontology.concepts import Ontology
from ontology.inspection.concept_captions import Captions
from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.decisions import Decisions, Kept, Term, as_kept, as_refused
from ontology.proposals.proposal import Kind, Proposal
from ontology.proposals.proposals_owl import evidence_texts

HELP = later(
    "y: yes, n: no (not proposed again), m: yes, but as another kind or of another concept, s: skip, q: end and write "
    "what was decided; "
    "a: yes to this and all others of its kind, d: no to these"
)
KEYS = "ynmsqad"
KINDS = {"s": Kind.SYNONYM, "n": Kind.NARROWER, "r": Kind.RELATED, "x": Kind.MISLEADING}
AS_PROPOSED = "k"
_SAID = {"n": later("  no"), "a": later("  yes to all of this kind"), "d": later("  no to all of this kind")}
SHOWN = 9  # concepts to choose from, one key each

Ask = Callable[[str, str], str]
"""A function that asks a person: it gets a prompt and the valid keys. Without keys, a line is typed."""


def ask_at_terminal(prompt: str, keys: str) -> str:
    """Read one of the keys, or a line. Raises KeyboardInterrupt or EOFError for Ctrl-C and Ctrl-D."""
    if not keys:
        return input(prompt)
    while True:
        key = typer.getchar().lower()
        if key in ("\x03", "\x04"):
            raise KeyboardInterrupt
        if key in keys:
            return key


def review(proposals: Sequence[Proposal], ontology: Ontology, ask: Ask = ask_at_terminal) -> Decisions:
    """Ask about each proposal. Ctrl-C and Ctrl-D end the round like q; decisions made so far are returned.

    `ontology.proposals.accepting.apply` writes them.
    """
    kept: list[Kept] = []
    refused: list[Term] = []
    whole: dict[Kind, Kept | str] = {}  # the answer to a whole kind: a or d
    captions = Captions(ontology, language=chosen_language(None, ontology))
    say(tr(HELP))
    try:
        for number, proposal in enumerate(proposals, 1):
            decided = whole.get(proposal.kind)
            if decided is None:
                _show(number, len(proposals), proposal, captions)
                decided = _decide(proposal, ontology, captions, ask)
            if decided == "q":
                break
            if decided in ("a", "d"):
                whole[proposal.kind] = decided
            if isinstance(decided, Kept):
                kept.append(decided)
            elif decided == "a":
                kept.append(as_kept(proposal))
            elif decided in ("n", "d"):
                refused.append(as_refused(proposal))
    except (KeyboardInterrupt, EOFError):
        say(tr("\nended; what was decided is kept"))
    return Decisions(tuple(kept), tuple(refused))


def _show(number: int, proposals: int, proposal: Proposal, captions: Captions) -> None:
    """The question, and the evidence below it."""
    question = _question(proposal, captions)
    say(tr("\n{number} of {proposals}  {question}", number=number, proposals=proposals, question=question))
    for text in evidence_texts(proposal, captions):
        say(wrapped("  ", one_line(as_told(text))))


def _question(proposal: Proposal, captions: Captions) -> str:
    """The question whether a term is to be added."""
    kind, term = proposal.kind, proposal.term
    concept = captions.of(proposal.concept) if proposal.concept else ""
    if kind is Kind.WEIGHT:
        return one_line(tr("{concept}: should its weight be {value:g}?", concept=concept or term, value=proposal.value))
    if kind is Kind.MISLEADING:
        return one_line(tr("{term}: a phrase in which {concept} is not meant?", term=term, concept=concept))
    if kind is Kind.LAYER_1:
        return one_line(tr("{term}: a word of pages one link before results?", term=term))
    if kind is Kind.LAYER_2:
        return one_line(tr("{term}: a word of pages two links before results?", term=term))
    if kind is Kind.NARROWER:
        about = tr(" below {concept}", concept=concept) if concept else ""
        return one_line(tr("{term}: a concept of its own{about}?", term=term, about=about))
    about = tr(" to {concept}" if kind is Kind.RELATED else " of {concept}", concept=concept) if concept else ""
    return one_line(f"{term}: {tr(kind.value)}{about}?")


def _decide(proposal: Proposal, ontology: Ontology, captions: Captions, ask: Ask) -> Kept | str:
    """What is accepted, or the key: n, s, q, a or d."""
    while True:
        key = ask("", KEYS)
        if key == "y":
            say(tr("  yes"))
            return as_kept(proposal)
        if key != "m":
            if key in _SAID:
                say(tr(_SAID[key]))
            return key
        kept = _changed(proposal, ontology, captions, ask)
        if kept is not None:
            return kept
        say(f"  {_question(proposal, captions)} ({' '.join(KEYS)})")


def _changed(proposal: Proposal, ontology: Ontology, captions: Captions, ask: Ask) -> Kept | None:
    """The proposal as another kind or of another concept; None if no concept was found for it."""
    kind: Kind | None = None
    if proposal.kind in KINDS.values():
        say(tr("  as what? s: synonym, n: narrower, r: related, x: misleading, k: as it is"))
        kind = KINDS.get(ask("", "".join(KINDS) + AS_PROPOSED))
    concept = _choose(ontology, captions, ask, is_needed=kind is None or proposal.concept is None)
    if concept is None and (kind is None or proposal.concept is None):
        return None
    kept = as_kept(proposal, concept, kind)
    of = one_line(captions.of(kept.concepts[0]))
    say(tr("  yes, {kind} of {concept}", kind=tr(kept.kind.value), concept=of))
    return kept


def _choose(ontology: Ontology, captions: Captions, ask: Ask, *, is_needed: bool) -> str | None:
    """Let the user choose a concept by part of its name; None if nothing was typed or chosen."""
    asked = (
        tr("  a part of the concept's name: ")
        if is_needed
        else tr("  of another concept? A part of its name, or Enter: ")
    )
    part = same_word_key(ask(asked, ""))
    if not part and not is_needed:
        return None
    found = matching(ontology, part) if part else []
    if not found:
        say(tr("  no concept has that in its name") if part else tr("  none"))
        return None
    for number, iri in enumerate(found[:SHOWN], 1):
        say(f"  {number}  {one_line(captions.of(iri))}")
    more = tr(" ({number} more: type more of the name)", number=len(found) - SHOWN) if len(found) > SHOWN else ""
    say(tr("  a number, or n for none{more}", more=more))
    key = ask("", "".join(str(number) for number in range(1, min(len(found), SHOWN) + 1)) + "n")
    return None if key == "n" else found[int(key) - 1]


def matching(ontology: Ontology, part: str) -> list[str]:
    """Concepts with this folded text in a name: exact names first, then the shortest names."""
    ranked = []
    for iri, concept in ontology.concepts.items():
        lengths = [len(key) for label in concept.labels if part in (key := same_word_key(label.text))]
        if lengths and not concept.deprecated:
            ranked.append((min(lengths), iri))
    return [iri for _, iri in sorted(ranked)]
