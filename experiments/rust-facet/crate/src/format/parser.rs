//! Parses BSON to the events of `facet-format`.

use std::borrow::Cow;
use std::marker::PhantomData;

use bson::spec::ElementType;
use facet_format::{
    ContainerKind, DeserializeErrorKind, FieldKey, FieldLocationHint, FormatParser, ParseError,
    ParseEvent, ParseEventKind, SavePoint, ScalarValue,
};
use facet_reflect::Span;

use super::element::{LENGTH_BYTES, cstring_end, document_end, read_cstring, read_type, value_end};
use super::error::BsonError;
use super::peek::{Container, Delta, Expects, Nesting, PeekForm, State};
use super::read::read_scalar;

/// The parser of one BSON document. `P` determines the cost of peeking at the next event.
pub struct BsonParser<'de, P> {
    bytes: &'de [u8],
    state: State,
    saved: Vec<State>,
    form: PhantomData<P>,
}

/// An event and its change of the state.
type Step<'de> = (ParseEvent<'de>, Delta);

impl<'de, P: PeekForm> BsonParser<'de, P> {
    /// Creates a parser of bytes that are exactly one document.
    pub fn new(bytes: &'de [u8]) -> Self {
        Self {
            bytes,
            state: State::new(),
            saved: Vec::new(),
            form: PhantomData,
        }
    }

    fn peek(&self) -> Result<Option<(ParseEvent<'de>, P::Next)>, ParseError> {
        match self.read_step() {
            Ok(Some((event, delta))) => Ok(Some((event, P::prepare(&self.state, delta)))),
            Ok(None) => Ok(None),
            Err(error) => Err(self.locate(&error)),
        }
    }

    fn read_step(&self) -> Result<Option<Step<'de>>, BsonError> {
        match self.state.expects {
            Expects::Root => self.enter_root().map(Some),
            Expects::Element => match self.state.open.last() {
                Some(container) if container.is_array => self.read_item(*container).map(Some),
                Some(container) => self.read_key(*container).map(Some),
                None => Err(BsonError::new("no document is open")),
            },
            Expects::Value(kind) => self.read_value(kind, self.state.offset).map(Some),
            Expects::Nothing => Ok(None),
        }
    }

    fn enter_root(&self) -> Result<Step<'de>, BsonError> {
        let end = document_end(self.bytes, 0)?;
        if end != self.bytes.len() {
            return Err(BsonError::new(format!(
                "document ends at {end}, its bytes do not"
            )));
        }
        Ok(enter(ElementType::EmbeddedDocument, 0, end))
    }

    fn read_key(&self, container: Container) -> Result<Step<'de>, BsonError> {
        let start = self.state.offset;
        let Some(kind) = read_type(self.bytes, start)? else {
            return self.leave(container);
        };
        let (key, offset) = read_cstring(self.bytes, start + 1)?;
        let key = FieldKey::new(key, FieldLocationHint::KeyValue);
        let delta = Delta {
            offset,
            expects: Expects::Value(kind),
            nesting: Nesting::Same,
        };
        Ok((
            make_event(ParseEventKind::FieldKey(key), start, offset),
            delta,
        ))
    }

    /// The keys of an array are redundant.
    fn read_item(&self, container: Container) -> Result<Step<'de>, BsonError> {
        let start = self.state.offset;
        match read_type(self.bytes, start)? {
            Some(kind) => self.read_value(kind, cstring_end(self.bytes, start + 1)?),
            None => self.leave(container),
        }
    }

    fn read_value(&self, kind: ElementType, start: usize) -> Result<Step<'de>, BsonError> {
        let end = value_end(self.bytes, kind, start)?;
        if self
            .state
            .open
            .last()
            .is_some_and(|container| end >= container.end)
        {
            return Err(BsonError::new(format!(
                "value at {start} goes beyond its document"
            )));
        }
        let value = &self.bytes[start..end];
        let scalar = match kind {
            _ if self.state.is_raw => ScalarValue::Bytes(Cow::Owned(tag_value(value, kind))),
            ElementType::EmbeddedDocument | ElementType::Array => {
                return Ok(enter(kind, start, end));
            }
            _ => read_scalar(kind, value)?,
        };
        let delta = Delta {
            offset: end,
            expects: Expects::Element,
            nesting: Nesting::Same,
        };
        Ok((
            make_event(ParseEventKind::Scalar(scalar), start, end),
            delta,
        ))
    }

    fn leave(&self, container: Container) -> Result<Step<'de>, BsonError> {
        let offset = self.state.offset + 1;
        if offset != container.end {
            return Err(BsonError::new(format!(
                "document ends at {offset}, not at {} as its length says",
                container.end
            )));
        }
        let event = if container.is_array {
            ParseEventKind::SequenceEnd
        } else {
            ParseEventKind::StructEnd
        };
        let expects = if self.state.open.len() == 1 {
            Expects::Nothing
        } else {
            Expects::Element
        };
        let nesting = Nesting::Leave;
        Ok((
            make_event(event, offset - 1, offset),
            Delta {
                offset,
                expects,
                nesting,
            },
        ))
    }

    fn locate(&self, error: &BsonError) -> ParseError {
        let message = Cow::Owned(error.to_string());
        let kind = DeserializeErrorKind::InvalidValue { message };
        ParseError::new(Span::new(self.state.offset, 0), kind)
    }
}

fn enter<'de>(kind: ElementType, start: usize, end: usize) -> Step<'de> {
    let is_array = kind == ElementType::Array;
    let event = if is_array {
        ParseEventKind::SequenceStart(ContainerKind::Array)
    } else {
        ParseEventKind::StructStart(ContainerKind::Object)
    };
    let delta = Delta {
        offset: start + LENGTH_BYTES,
        expects: Expects::Element,
        nesting: Nesting::Enter(Container { is_array, end }),
    };
    (make_event(event, start, end), delta)
}

/// A value as its bytes, then its type, from which the types of [`super::value`] are read.
fn tag_value(value: &[u8], kind: ElementType) -> Vec<u8> {
    let mut tagged = Vec::with_capacity(value.len() + 1);
    tagged.extend_from_slice(value);
    tagged.push(kind as u8);
    tagged
}

fn make_event(kind: ParseEventKind<'_>, start: usize, end: usize) -> ParseEvent<'_> {
    ParseEvent::new(kind, Span::new(start, end - start))
}

impl<'de, P: PeekForm> FormatParser<'de> for BsonParser<'de, P> {
    /// False, although BSON is self-describing. Otherwise events would not be taken one by one,
    /// with a hint before each value of [`super::value`].
    fn is_self_describing(&self) -> bool {
        false
    }

    fn input(&self) -> Option<&'de [u8]> {
        Some(self.bytes)
    }

    fn hint_byte_sequence(&mut self) -> bool {
        self.state.is_raw = matches!(self.state.expects, Expects::Value(_) | Expects::Element);
        self.state.is_raw
    }

    fn next_event(&mut self) -> Result<Option<ParseEvent<'de>>, ParseError> {
        let Some((event, next)) = self.peek()? else {
            return Ok(None);
        };
        P::advance(&mut self.state, next);
        Ok(Some(event))
    }

    fn peek_event(&mut self) -> Result<Option<ParseEvent<'de>>, ParseError> {
        Ok(self.peek()?.map(|(event, _)| event))
    }

    fn skip_value(&mut self) -> Result<(), ParseError> {
        self.state.is_raw = true;
        self.next_event().map(|_| ())
    }

    fn save(&mut self) -> SavePoint {
        self.saved.push(self.state.clone());
        SavePoint::new(self.saved.len() as u64 - 1)
    }

    fn restore(&mut self, save_point: SavePoint) {
        let count = save_point.0 as usize;
        self.state = self.saved.swap_remove(count);
        self.saved.truncate(count);
    }
}
