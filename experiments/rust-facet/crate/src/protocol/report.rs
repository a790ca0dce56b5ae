//! The report that a worker writes.

use std::collections::BTreeMap;

use serde::Serialize;

use super::job::FORMAT_VERSION;

/// The fields of every report, and the result.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    format_version: u64,
    job_id: String,
    runtime: Runtime,
    #[serde(flatten)]
    finding: Finding,
}

impl Report {
    /// Creates the report of a job.
    pub fn new(job_id: String, finding: Finding) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            job_id,
            runtime: Runtime {
                name: "rust",
                version: env!("COMPILER_VERSION"),
                flags: [],
            },
            finding,
        }
    }
}

/// The compiler, because there is no runtime.
#[derive(Debug, Serialize)]
struct Runtime {
    name: &'static str,
    version: &'static str,
    flags: [String; 0],
}

/// The result by kind of job.
#[derive(Debug, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum Finding {
    Output {
        /// None if the variant failed.
        output_digest: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        thrown: Option<String>,
    },
    Measure {
        output_digest: String,
        measurement: Measurement,
    },
    Allocation {
        result: AllocationResult,
    },
    Exercise {
        exercise: Exercise,
    },
}

/// The figures of a timed job.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measurement {
    pub batch_ns_per_document: Vec<f64>,
    pub documents_per_batch: u64,
    pub reference_loop_ns: Vec<f64>,
    pub warm_up: WarmUpReport,
    #[serde(flatten)]
    pub usage: Usage,
}

/// How the warm-up went.
#[derive(Debug, Serialize)]
pub struct WarmUpReport {
    pub ms: f64,
    pub calls: u64,
    pub settled: bool,
}

/// Resource usage of the process while it was timed.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub cpu_user_ms: f64,
    pub cpu_system_ms: f64,
    pub wall_ms: f64,
    /// There is no garbage collector.
    pub gc_count: u32,
    pub gc_ms: f64,
    pub voluntary_context_switches: i64,
    pub involuntary_context_switches: i64,
    pub autogroup_raised: bool,
}

/// The allocations per document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AllocationResult {
    pub kind: &'static str,
    pub window_heap_bytes: Vec<f64>,
    pub off_heap_bytes: f64,
    pub allocations: f64,
    pub documents_per_window: u64,
    pub collected_windows: u32,
    pub bridged: bool,
}

/// The work done while a recorder observed the process.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Exercise {
    pub documents: u64,
    pub wall_ms: f64,
    pub window: Window,
    pub collections: BTreeMap<String, u32>,
}

/// Start and end by the system's monotonic clock.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    pub start_ms: f64,
    pub end_ms: f64,
}
