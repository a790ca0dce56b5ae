//! The job that a worker reads.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

/// Version of the messages that this worker reads and writes.
pub const FORMAT_VERSION: u64 = 11;

/// The fields of every job. The worker ignores others.
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

/// The variant, with the settings from its description and the axes of its spec.
#[derive(Debug, Deserialize)]
pub struct Variant {
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
}

/// The corpus.
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
    /// Concatenated BSON documents.
    pub canonical: String,
}

/// The task.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Task {
    /// Run the operation once and keep its output.
    #[serde(rename_all = "camelCase")]
    Output { output_path: String },
    /// Time it.
    Measure { settings: MeasureSettings },
    /// Count its allocations.
    Allocation {},
    /// Repeat it while a recorder observes the process.
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

/// A duration, or a number of passes without warm-up.
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

/// Why a job is rejected.
#[derive(Debug)]
pub struct JobError(String);

impl JobError {
    /// Creates an error with this message.
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

/// Read first, to check whether the rest can be read.
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
/// If this worker does not support its format or kind.
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
