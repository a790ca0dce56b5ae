//! Output of an operation as one stream of bytes: for every document its length (uint32, little
//! endian) and its bytes.

use sha2::{Digest, Sha256};

/// The stream of these documents.
pub fn encode_frames(documents: &[Vec<u8>]) -> Vec<u8> {
    let mut stream = Vec::new();
    for document in documents {
        stream.extend_from_slice(&(document.len() as u32).to_le_bytes());
        stream.extend_from_slice(document);
    }
    stream
}

/// `sha256:…` of such a stream.
pub fn digest_frames(stream: &[u8]) -> String {
    let digest = Sha256::digest(stream);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}
