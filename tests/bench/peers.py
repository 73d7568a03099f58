"""The peers that are written in Python. Each line on stdin is `PEER FILE`; the answer is a line with the
seconds of this thread's own time that one run over the file's text took, or with what went wrong."""

import sys
import time


def presidio():
    """Its patterns, with a model that only splits into words, and without the look at the words around
    each match, which takes time by the square of the text."""
    import spacy
    import tldextract
    from presidio_analyzer import AnalyzerEngine, PatternRecognizer, RecognizerRegistry
    from presidio_analyzer.context_aware_enhancers import ContextAwareEnhancer
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    # The list of suffixes that the package brings: nothing is fetched.
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())

    class Blank(SpacyNlpEngine):
        def __init__(self):
            super().__init__()
            blank = spacy.blank("en")
            blank.max_length = 10_000_000
            self.nlp = {"en": blank}

    class NoContext(ContextAwareEnhancer):
        def __init__(self):
            super().__init__(0, 0, 0, 0)

        def enhance_using_context(self, text, raw_results, *rest, **named):
            return raw_results

    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    registry.recognizers = [r for r in registry.recognizers if isinstance(r, PatternRecognizer)]
    engine = AnalyzerEngine(
        registry=registry, nlp_engine=Blank(), supported_languages=["en"], context_aware_enhancer=NoContext()
    )
    return lambda text: engine.analyze(text=text, language="en")


def sqlglot():
    from sqlglot import anonymize

    return anonymize.anonymize


PEERS = {"presidio": presidio, "sqlglot": sqlglot}
ready = {}
for line in sys.stdin:
    peer, path = line.rstrip("\n").split(" ", 1)
    try:
        if peer not in ready:
            ready[peer] = PEERS[peer]()
            ready[peer]("warm")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        started = time.thread_time()
        ready[peer](text)
        print(time.thread_time() - started, flush=True)
    except Exception as error:  # A peer that cannot run is said to be so; the others go on.
        print(f"{type(error).__name__}: {error}".replace("\n", " "), flush=True)
