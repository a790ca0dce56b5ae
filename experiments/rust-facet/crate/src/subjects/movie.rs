//! A movie as an application would declare it for the MFlix collection.

use facet::Facet;
use serde::{Deserialize, Serialize};

use crate::format::value::{DateTimeValue, ObjectIdValue};

/// Fields that some movies lack are omitted if they have no value.
#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct Movie {
    #[facet(rename = "_id")]
    #[serde(rename = "_id")]
    pub id: ObjectIdValue,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plot: Option<String>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub genres: Option<Vec<String>>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<i32>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cast: Option<Vec<String>>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poster: Option<String>,
    pub title: String,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fullplot: Option<String>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<String>>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub released: Option<DateTimeValue>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directors: Option<Vec<String>>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rated: Option<String>,
    pub awards: Awards,
    pub lastupdated: String,
    pub year: i32,
    pub imdb: Imdb,
    pub countries: Vec<String>,
    #[facet(rename = "type")]
    #[serde(rename = "type")]
    pub kind: String,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tomatoes: Option<Tomatoes>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metacritic: Option<i32>,
    pub num_mflix_comments: i32,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writers: Option<Vec<String>>,
}

/// Awards, as numbers and as text.
#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct Awards {
    pub wins: i32,
    pub nominations: i32,
    pub text: String,
}

/// The rating of one site. In BSON a whole rating may be an int32.
#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct Imdb {
    pub rating: f64,
    pub votes: i32,
    pub id: i32,
}

/// The ratings of another site.
#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct Tomatoes {
    pub viewer: Reviews,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dvd: Option<DateTimeValue>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critic: Option<Reviews>,
    #[facet(rename = "lastUpdated")]
    #[serde(rename = "lastUpdated")]
    pub last_updated: DateTimeValue,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotten: Option<i32>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub production: Option<String>,
    #[facet(skip_serializing_if = Option::is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh: Option<i32>,
}

/// An average rating.
#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct Reviews {
    pub rating: f64,
    #[facet(rename = "numReviews")]
    #[serde(rename = "numReviews")]
    pub num_reviews: i32,
    pub meter: i32,
}
