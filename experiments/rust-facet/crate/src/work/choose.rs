//! Selects the code that was compiled for the names in a job, before anything is measured.

use std::collections::BTreeMap;

use super::operation::{Deserialize, Operation, Serialize};
use crate::codec::{Codec, Reflection, Serde, Subject};
use crate::format::dispatch::{ByTypeId, Chain, Dispatch};
use crate::format::peek::{CloneState, PeekForm, ReturnDelta};
use crate::protocol::job::{Job, JobError};
use crate::subjects::foo::{Foo, FooWithDocument};
use crate::subjects::movie::Movie;
use crate::subjects::tree::Tree;

type Chosen = Result<Box<dyn Operation>, JobError>;

/// The names of an operation and a corpus, and its documents.
struct Cell<'job> {
    operation: &'job str,
    corpus: &'job str,
    documents: Vec<Vec<u8>>,
}

/// The operation of a job, with its codec and its documents.
///
/// # Errors
/// If a name is unknown or the documents are not of the corpus's type.
pub fn choose_operation(job: &Job, documents: Vec<Vec<u8>>) -> Chosen {
    let cell = Cell {
        operation: &job.operation,
        corpus: &job.corpus.name,
        documents,
    };
    let settings = &job.variant.settings;
    match setting(settings, "path")? {
        "serde" => {
            if let Some(name) = settings.keys().find(|name| *name != "path") {
                return Err(JobError::new(format!("path=serde takes no {name}")));
            }
            choose_subject::<Serde>(cell)
        }
        "facet" => choose_peek(settings, cell),
        other => Err(unknown("path", other, "facet, serde")),
    }
}

fn choose_peek(settings: &BTreeMap<String, String>, cell: Cell<'_>) -> Chosen {
    match setting(settings, "peek")? {
        "clone" => choose_dispatch::<CloneState>(settings, cell),
        "delta" => choose_dispatch::<ReturnDelta>(settings, cell),
        other => Err(unknown("peek", other, "clone, delta")),
    }
}

fn choose_dispatch<P: PeekForm + 'static>(
    settings: &BTreeMap<String, String>,
    cell: Cell<'_>,
) -> Chosen {
    match setting(settings, "dispatch")? {
        "chain" => choose_capacity::<P, Chain>(settings, cell),
        "type-id" => choose_capacity::<P, ByTypeId>(settings, cell),
        other => Err(unknown("dispatch", other, "chain, type-id")),
    }
}

fn choose_capacity<P, D>(settings: &BTreeMap<String, String>, cell: Cell<'_>) -> Chosen
where
    P: PeekForm + 'static,
    D: Dispatch + 'static,
{
    match setting(settings, "capacity")? {
        "0" => choose_subject::<Reflection<P, D, 0>>(cell),
        "1024" => choose_subject::<Reflection<P, D, 1024>>(cell),
        other => Err(unknown("capacity", other, "0, 1024")),
    }
}

fn choose_subject<C: Codec>(cell: Cell<'_>) -> Chosen {
    match cell.corpus {
        "foo" => make_operation::<C, Foo>(cell),
        "foo-document" => make_operation::<C, FooWithDocument>(cell),
        "movies" => make_operation::<C, Movie>(cell),
        "deep" => make_operation::<C, Tree>(cell),
        other => Err(unknown("corpus", other, "foo, foo-document, movies, deep")),
    }
}

fn make_operation<C: Codec, T: Subject>(cell: Cell<'_>) -> Chosen {
    match cell.operation {
        "serialize" => match Serialize::<C, T>::new(&cell.documents) {
            Ok(operation) => Ok(Box::new(operation)),
            Err(error) => Err(JobError::new(format!("corpus '{}': {error}", cell.corpus))),
        },
        "deserialize" => Ok(Box::new(Deserialize::<C, T>::new(cell.documents))),
        other => Err(unknown("operation", other, "serialize, deserialize")),
    }
}

fn setting<'a>(settings: &'a BTreeMap<String, String>, name: &str) -> Result<&'a str, JobError> {
    match settings.get(name) {
        Some(value) => Ok(value),
        None => Err(JobError::new(format!(
            "the variant has no setting '{name}'"
        ))),
    }
}

fn unknown(what: &str, name: &str, known: &str) -> JobError {
    JobError::new(format!("no {what} '{name}' here; there are: {known}"))
}
