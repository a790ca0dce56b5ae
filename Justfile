# Assay: proves or refutes performance claims about serializers.
# Every recipe sets up what it needs. Without just installed: npx --yes rust-just RECIPE …

set positional-arguments

export ASSAY_INVOCATION_DIRECTORY := invocation_directory()

in_foreground := "exec sh scripts/run-in-foreground.sh"
assay := in_foreground + " node harness/assay.js"

# List the recipes.
[private]
default:
    @just --justfile '{{ justfile() }}' --list --unsorted

# Find out which of two variants is faster, by how much, how sure that is: compare A B [--help].
compare *ARGS: _setup-measuring
    @{{ assay }} compare "$@"

# Check and measure a variant again whenever its files change: watch A B [--build COMMAND].
watch *ARGS: _setup-measuring
    @{{ assay }} watch "$@"

# Judge and render a run or calibration again, without measuring: report RUN [--format markdown].
report *ARGS: _setup-measuring
    @{{ assay }} report "$@"

# Measure what a reported claim needs, and say whether it holds here: reproduce NODE-7606.
reproduce *ARGS: _setup-measuring
    @{{ assay }} reproduce "$@"

# List reported claims and their last result here.
claims *ARGS: _setup-measuring
    @{{ assay }} claims "$@"

# Find the version or commit that made a cell slower: bisect GOOD BAD serialize flat.
bisect *ARGS: _setup-measuring
    @{{ assay }} bisect "$@"

# List recorded comparisons: history [--op serialize].
history *ARGS: _setup-measuring
    @{{ assay }} history "$@"

# Measure versions or commits against one reference, and find where performance changed: trend npm:bson --from 6.0.0.
trend *ARGS: _setup-measuring
    @{{ assay }} trend "$@"

# Measure the commits of a branch that are not measured yet, and record them: follow . --budget 5m.
follow *ARGS: _setup-measuring
    @{{ assay }} follow "$@"

# List open alerts and other changes of a followed branch: changes [--since TAG].
changes *ARGS: _setup-measuring
    @{{ assay }} changes "$@"

# Write pages that show every measured merge of a followed branch: site [--out DIRECTORY].
site *ARGS: _setup-measuring
    @{{ assay }} site "$@"

# Measure a report again here, and say whether it holds: replay report.html.
replay *ARGS: _setup-measuring
    @{{ assay }} replay "$@"

# Print the comment for a pull request, or post it: pr RUN [--post].
pr *ARGS: _setup-measuring
    @{{ assay }} pr "$@"

# Divide a comparison among several hosts: plan A B --shards 3.
plan *ARGS: _setup-measuring
    @{{ assay }} plan "$@"

# Combine the parts of a plan into one run: merge RUN...
merge *ARGS: _setup-measuring
    @{{ assay }} merge "$@"

# Open the report of a run, by default the last, in the browser: open [RUN].
open *ARGS: _setup-measuring
    @{{ assay }} open "$@"

# Record where a variant spends its time: profile VARIANT [--with 0x].
profile *ARGS: _setup-measuring
    @{{ assay }} profile "$@"

# Write a profile in another format to standard output: convert FILE --to folded.
convert *ARGS: _setup-measuring
    @{{ assay }} convert "$@"

# Measure the error rate and the power of the instrument here: calibrate --for 30m [--peers].
calibrate *ARGS: _setup-measuring
    @{{ assay }} calibrate "$@"

# Measure error rates and power of the decision rules on simulated runs: simulate [NAME...] --runs 4000.
simulate *ARGS: _setup-measuring
    @{{ assay }} simulate "$@"

# Show what on this host affects measurements, which tools there are, what to do: doctor [--json].
doctor *ARGS: _setup-measuring
    @{{ assay }} doctor "$@"

# List families and variants, with their idea and source: variants [NAME].
variants *ARGS: _setup-measuring
    @{{ assay }} variants "$@"

# List the corpora, import your own documents, or remove them: corpora import NAME FILE, corpora remove NAME.
corpora *ARGS: _setup-measuring
    @{{ assay }} corpora "$@"

# Check the repository (types, lint, format, unused code, folder boundaries), or variants: check [VARIANT...].
check *VARIANTS:
    @if [ "$#" -gt 0 ]; then sh scripts/set-up.sh && {{ assay }} check "$@"; \
    else sh scripts/set-up.sh --development && sh scripts/check-repository.sh; fi

# Compare a variant with the reference on mutated documents: fuzz VARIANT --for 60s.
fuzz *ARGS: _setup-measuring
    @{{ assay }} fuzz "$@"

# Show the help of a command: help compare.
help *ARGS: _setup-measuring
    @{{ assay }} help "$@"

# Run the tests, in a minute or two: test [PATTERN].
test *ARGS: _setup-development
    @sh scripts/run-tests.sh "$@"

# Run all tests, as CI does, with browsers, toolchains and what measures for minutes: test-all [PATTERN].
test-all *ARGS: _setup-development
    @ASSAY_TEST="${ASSAY_TEST:-all}" sh scripts/run-tests.sh "$@"

# Run the tests that depend on Node's version under the other ones: test-nodes [VERSION...] [PATTERN...].
test-nodes *ARGS: _setup-development
    @{{ in_foreground }} node scripts/test-nodes.js "$@"

# Cross-check java-decode with JMH: jmh [-f 5], and JMH's own options.
jmh *ARGS: _setup-measuring
    @{{ in_foreground }} node experiments/java-decode/run-jmh.js "$@"

# Record what a mongod answers the MongoDB driver: record PATH_OF_MONGOD DIRECTORY_OF_PACKAGE_MONGODB.
record *ARGS: _setup-measuring
    @{{ in_foreground }} node scripts/record-driver.js "$@"

# Install optional tools from Debian, if permitted: browser, perf, valgrind, compilers.
tools:
    @sh scripts/install-tools.sh

# Write a family for your own codec into the current directory: init NAME.
init *ARGS: _setup-measuring
    @{{ assay }} init "$@"

# Measure for others: fleet work --nats URL.
fleet *ARGS: _setup-measuring
    @{{ assay }} fleet "$@"

# Build what families in other languages need, or install a server: setup [rust java url mongod].
setup *FAMILIES: _setup-measuring
    @{{ assay }} setup "$@"

# Install what measuring needs; quick if nothing has changed.
[private]
_setup-measuring:
    @sh scripts/set-up.sh

[private]
_setup-development:
    @sh scripts/set-up.sh --development
