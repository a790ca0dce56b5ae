//! The worker: one process, one job. Reads a job (JSON) from the file given as argument or from
//! standard input, writes one report (JSON) to standard output and errors to standard error.

use std::error::Error;
use std::process::ExitCode;
use std::{env, fs, io};

use rust_facet::format::error::BsonError;
use rust_facet::protocol::job::{Job, JobError, Task, parse_job};
use rust_facet::protocol::report::{Finding, Report};
use rust_facet::work::allocation::{CountingAllocator, count_allocations};
use rust_facet::work::choose::choose_operation;
use rust_facet::work::corpus::read_documents;
use rust_facet::work::exercise::exercise_operation;
use rust_facet::work::frames::{digest_frames, encode_frames};
use rust_facet::work::measure::measure_operation;
use rust_facet::work::operation::Operation;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    match answer_job() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn answer_job() -> Result<(), Box<dyn Error>> {
    let job = parse_job(&read_input()?)?;
    let finding = run_job(&job)?;
    serde_json::to_writer(io::stdout(), &Report::new(job.id, finding))?;
    Ok(())
}

fn read_input() -> Result<String, JobError> {
    let (name, text) = match env::args().nth(1) {
        Some(path) => (path.clone(), fs::read_to_string(path)),
        None => ("standard input".into(), io::read_to_string(io::stdin())),
    };
    text.map_err(|error| JobError::new(format!("{name}: {error}")))
}

fn run_job(job: &Job) -> Result<Finding, Box<dyn Error>> {
    let documents = job.corpus.document_count as u64;
    let operation = choose_operation(job, read_documents(&job.corpus)?)?;
    let operation = operation.as_ref();
    Ok(match &job.task {
        Task::Output { output_path } => produce_output(operation, output_path)?,
        Task::Measure { settings } => {
            let measurement = measure_operation(operation, documents, *settings)?;
            // After the last batch, so that the timed code is checked.
            let output_digest = digest_frames(&encode_frames(&operation.output()?));
            Finding::Measure {
                output_digest,
                measurement,
            }
        }
        Task::Allocation {} => Finding::Allocation {
            result: count_allocations(operation, documents)?,
        },
        Task::Exercise { work } => Finding::Exercise {
            exercise: exercise_operation(operation, documents, *work)?,
        },
    })
}

fn produce_output(operation: &dyn Operation, output_path: &str) -> Result<Finding, JobError> {
    let stream = match check_output(operation) {
        Ok(stream) => stream,
        Err(error) => {
            return Ok(Finding::Output {
                output_digest: None,
                thrown: Some(error.to_string()),
            });
        }
    };
    fs::write(output_path, &stream)
        .map_err(|error| JobError::new(format!("{output_path}: {error}")))?;
    Ok(Finding::Output {
        output_digest: Some(digest_frames(&stream)),
        thrown: None,
    })
}

fn check_output(operation: &dyn Operation) -> Result<Vec<u8>, BsonError> {
    operation.check_round_trip()?;
    Ok(encode_frames(&operation.output()?))
}
