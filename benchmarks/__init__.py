"""Programs that measure Thresher, run as `python -m benchmarks.NAME` from the root of a clone.

| program | measures | make target |
|---|---|---|
| leaderboard | accuracy of all methods and peers on all corpora | leaderboard |
| floors | that no method falls below its pinned accuracy | floors, pin-floors |
| speed | time and memory of parsing, methods and renderers | bench |
| headlines, fields, threads | headlines; fields of metadata; comments and posts | the same names |
| headline_votes | the weights of `thresher.metadata.headline_vote` | |
| combinations | the best combination of methods | combinations |
| reliability | whether the confidence of a document is calibrated | reliability |
| adaptation | what 50 labelled pages add to the default | adaptation |
| similarity | content by the similarity of sentences, an experiment of the thesis | |
| generator | nothing: writes pages with gold text, a corpus for `thresher evaluate` | |

`methods_table` writes the table of docs/methods/README.md; `mutants` tests the tests;
`corpus_pages`, `held_out` and `marked_blocks` are helpers. Most programs need the corpora: Parquet
files in the folder that THRESHER_CORPORA names, else in `../shared/corpora`.
"""
