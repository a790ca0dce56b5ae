# Assay: proves or refutes performance claims about serializers.
# Every recipe sets up what it needs. Without just installed: npx --yes rust-just RECIPE …

set positional-arguments

export ASSAY_INVOCATION_DIRECTORY := invocation_directory()

in_foreground := "exec sh scripts/run-in-foreground.sh"
assay := in_foreground + " node harness/assay.js"

# Show what can be done.
[private]
default:
    @just --justfile '{{ justfile() }}' --list --unsorted

# Say which of two variants is faster, by how much and how sure that is: compare A B [--help].
compare *ARGS: _setup-measuring
    @{{ assay }} compare "$@"

# Judge and render a run or calibration again without measuring: report RUN [--format markdown].
report *ARGS: _setup-measuring
    @{{ assay }} report "$@"

# Measure what a reported claim needs, and say whether it holds here: reproduce NODE-7606.
reproduce *ARGS: _setup-measuring
    @{{ assay }} reproduce "$@"

# List what others reported, and the last result here.
claims *ARGS: _setup-measuring
    @{{ assay }} claims "$@"

# Find the version or commit from which on a cell is slower: bisect GOOD BAD serialize flat.
bisect *ARGS: _setup-measuring
    @{{ assay }} bisect "$@"

# Measure again here what a report tells, and say whether it holds: replay report.html.
replay *ARGS: _setup-measuring
    @{{ assay }} replay "$@"

# Print the comment for a pull request, or post it: pr RUN [--post].
pr *ARGS: _setup-measuring
    @{{ assay }} pr "$@"

# Share the cells of a comparison among hosts: plan A B --shards 3.
plan *ARGS: _setup-measuring
    @{{ assay }} plan "$@"

# Put the parts of a plan together into one run: merge RUN...
merge *ARGS: _setup-measuring
    @{{ assay }} merge "$@"

# Open the report of a run in the browser, of the last one where none is named: open [RUN].
open *ARGS: _setup-measuring
    @{{ assay }} open "$@"

# Record where a variant spends its time: profile VARIANT [--with 0x].
profile *ARGS: _setup-measuring
    @{{ assay }} profile "$@"

# Write a profile in another format to standard output: convert FILE --to folded.
convert *ARGS: _setup-measuring
    @{{ assay }} convert "$@"

# Measure how often the instrument errs here, and what it can see: calibrate --for 30m [--peers].
calibrate *ARGS: _setup-measuring
    @{{ assay }} calibrate "$@"

# Say what this host does to figures, which tools are there, and what to do: doctor [--json].
doctor *ARGS: _setup-measuring
    @{{ assay }} doctor "$@"

# List families, variants, their idea and source.
variants *ARGS: _setup-measuring
    @{{ assay }} variants "$@"

# List the corpora, or take your own documents: corpora import NAME FILE.
corpora *ARGS: _setup-measuring
    @{{ assay }} corpora "$@"

# Check the repository (types, lint, format, unused code, borders of folders); with variant specs, check those.
check *VARIANTS:
    @if [ "$#" -gt 0 ]; then sh scripts/set-up.sh && {{ assay }} check "$@"; \
    else sh scripts/set-up.sh --development && sh scripts/check-repository.sh; fi

# Hold a variant against the reference on mutated documents: fuzz VARIANT --for 60s.
fuzz *ARGS: _setup-measuring
    @{{ assay }} fuzz "$@"

# Run the tests: test [PATTERN].
test *ARGS: _setup-development
    @sh scripts/run-tests.sh "$@"

# Cross-check java-decode by JMH: jmh [-f 5], and JMH's own options.
jmh *ARGS: _setup-measuring
    @{{ in_foreground }} node experiments/java-decode/run-jmh.js "$@"

# Install the optional tools of Debian where that is permitted: browser, perf, valgrind, compilers.
tools:
    @sh scripts/install-tools.sh

# Build what families in other languages need, once: setup rust java url. Without a name: what that is.
setup *FAMILIES: _setup-measuring
    @{{ assay }} setup "$@"

# Install what measuring needs; done at once when nothing changed.
[private]
_setup-measuring:
    @sh scripts/set-up.sh

[private]
_setup-development:
    @sh scripts/set-up.sh --development
