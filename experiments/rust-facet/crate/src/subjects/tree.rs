//! Nested documents.

use facet::Facet;
use serde::{Deserialize, Serialize};

/// A node with two children.
#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct Pair<T> {
    pub left: T,
    pub right: T,
}

/// A full binary tree: six levels of documents above its strings.
pub type Tree = Pair<Pair<Pair<Pair<Pair<Pair<String>>>>>>;
