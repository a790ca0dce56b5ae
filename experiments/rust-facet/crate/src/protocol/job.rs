//! The job that a worker reads.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

/// Version of the messages that this worker reads and writes.
pub const FORMAT_VERSION: u64 = 7;

/// What every job says. A field that is not named here is of no concern to this worker.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    pub id: String,
    pub variant: Variant,
    pub operation: String,
    pub corpus: Corpus,
    #[serde(flatten)]
    pub task: Task,
}

/// The variant, as its description and the axes of its spec make it.
#[derive(Debug, Deserialize)]
pub struct Variant {
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
}

/// Where the documents are.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Corpus {
    pub name: String,
    pub document_count: usize,
    pub files: CorpusFiles,
}

/// Absolute paths.
#[derive(Debug, Deserialize)]
pub struct CorpusFiles {
    /// BSON documents, one after the other.
    pub canonical: String,
}

/// What is to be done.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Task {
    /// Run the operation once and keep what it makes.
    #[serde(rename_all = "camelCase")]
    Output { output_path: String },
    /// Time it.
    Measure { settings: MeasureSettings },
    /// Count what it allocates.
    Allocation {},
    /// Do it while something looks on from outside.
    Exercise { work: Work },
}

/// How long and how often to measure.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeasureSettings {
    pub warm_up_ms: f64,
    pub warm_up_calls: f64,
    pub max_warm_up_ms: f64,
    pub batch_count: usize,
    pub batch_ms: f64,
}

/// How long, or how often and with nothing before it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub enum Work {
    Passes {
        passes: u64,
    },
    #[serde(rename_all = "camelCase")]
    Time {
        warm_up_ms: f64,
        record_ms: f64,
    },
}

/// Why a job is refused.
#[derive(Debug)]
pub struct JobError(String);

impl JobError {
    /// An error of this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for JobError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for JobError {}

/// What tells whether the rest can be understood.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    format_version: u64,
    kind: String,
}

const KINDS: [&str; 4] = ["output", "measure", "allocation", "exercise"];

/// Reads a job.
///
/// # Errors
/// Where it is of another format or of a kind that this worker does not do.
pub fn parse_job(text: &str) -> Result<Job, JobError> {
    let head: Head = parse(text)?;
    if head.format_version != FORMAT_VERSION {
        return Err(JobError::new(format!(
            "job has format {}, this worker reads format {FORMAT_VERSION}",
            head.format_version
        )));
    }
    if !KINDS.contains(&head.kind.as_str()) {
        return Err(JobError::new(format!(
            "job is of kind '{}', this worker does {}",
            head.kind,
            KINDS.join(", ")
        )));
    }
    parse(text)
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, JobError> {
    serde_json::from_str(text)
        .map_err(|error| JobError::new(format!("job cannot be read: {error}")))
}
