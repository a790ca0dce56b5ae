//! The documents of a corpus, from disk.

use std::fs;

use crate::format::element::document_end;
use crate::protocol::job::{Corpus, JobError};

/// Reads the documents of a corpus.
///
/// # Errors
/// If the file is missing or has another number of documents than the job says.
pub fn read_documents(corpus: &Corpus) -> Result<Vec<Vec<u8>>, JobError> {
    let path = &corpus.files.canonical;
    let bytes = fs::read(path).map_err(|error| JobError::new(format!("{path}: {error}")))?;
    let mut documents = Vec::with_capacity(corpus.document_count);
    let mut start = 0;
    while start < bytes.len() {
        let end = document_end(&bytes, start)
            .map_err(|error| JobError::new(format!("{path}: {error}")))?;
        documents.push(bytes[start..end].to_vec());
        start = end;
    }
    if documents.len() == corpus.document_count {
        return Ok(documents);
    }
    Err(JobError::new(format!(
        "{path} has {} documents, the job says {}",
        documents.len(),
        corpus.document_count
    )))
}
