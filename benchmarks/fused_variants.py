"""`fused` built otherwise: without one of its parts, and with other constants."""

from benchmarks.lab_jobs import SEEDS_ONLY
from benchmarks.lab_runs import Variant

WITHOUT = {
    "link graph and Q": Variant("without the link graph", parameters=(("graph", 0),)),
    "predecessor layers": Variant("without layers", parameters=(("layers", 0),)),
    "topic words in links": Variant("without topic words", parameters=(("words", 0),)),
    "the ontology (seeds only)": Variant(SEEDS_ONLY, judge=SEEDS_ONLY),
}
LEARNER, TRUST = "semantic.strategies.fused.link_learner", "semantic.strategies.fused.link_learner"
VARIANTS = (
    Variant("as it is"),
    Variant("opening 0", parameters=(("opening", 0),)),
    Variant("opening 0.6", parameters=(("opening", 0.6),)),
    Variant("wide 0", parameters=(("wide", 0),)),
    Variant("wide 1", parameters=(("wide", 1),)),
    Variant("trust after 50 pages", constants=((TRUST, "HALF", 50),)),
    Variant("trust after 200 pages", constants=((TRUST, "HALF", 200),)),
    Variant("slope 0.2", constants=((LEARNER, "SLOPE", 0.2),)),
    Variant("slope 0.6", constants=((LEARNER, "SLOPE", 0.6),)),
    Variant("dense penalty 5", constants=((LEARNER, "ALPHA_DENSE", 5.0),)),
    Variant("hashed penalty 4", constants=((LEARNER, "ALPHA_HASHED", 4.0),)),
    Variant("host bonus 0.6", constants=((LEARNER, "HOST_BONUS", 0.6),)),
)
VARIANT_SEEDS = (1, 2)
