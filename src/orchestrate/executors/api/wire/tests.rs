//! Answers of models, however their streams are cut, and answers that are none.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn read(format: ApiFormat, is_stream: bool, pieces: &[&str]) -> Result<Answer, Fault> {
    let mut reader = Reader::new(format, is_stream);
    for piece in pieces {
        reader.take(piece.as_bytes())?;
    }
    reader.finish()
}

#[test]
fn a_stream_of_messages_is_put_together() {
    let pieces = [
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":12,\"output_tokens\":1}}}\n\n",
        "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\nda",
        "ta: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"I look\"}}\n\n: ping\n\n",
        "data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"read_file\",\"input\":{}}}\r\n\r\n",
        "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"path\\\": \"}}\n\n",
        "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"\\\"a.py\\\"}\"}}\n\n",
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":9}}\n\n",
        "data: {\"type\":\"message_stop\"}\n\n",
    ];
    let answer = read(ApiFormat::Messages, true, &pieces).expect("an answer");
    assert_eq!((answer.text.as_str(), &answer.stop), ("I look", &Stop::End));
    assert_eq!(answer.calls.len(), 1);
    assert_eq!(answer.calls[0].arguments.as_ref().expect("an object")["path"], json!("a.py"));
    assert_eq!((answer.tokens.input, answer.tokens.output), (Some(12), Some(9)));
    // Whatever is missing at the end, it is no answer.
    for most in 0..pieces.len() - 1 {
        assert_eq!(read(ApiFormat::Messages, true, &pieces[..most]), Err(Fault::Cut), "{most}");
    }
}

#[test]
fn a_stream_of_completions_is_put_together() {
    let pieces = [
        "data: {\"choices\":[{\"delta\":{\"content\":\"I look\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"read_file\",\"arguments\":\"{\\\"pa\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"th\\\":\\\"a\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":5,\"prompt_tokens_details\":{\"cached_tokens\":8}}}\n\n",
        "data: [DONE]\n\n",
    ];
    let answer = read(ApiFormat::ChatCompletions, true, &pieces).expect("an answer");
    assert_eq!(answer.calls[0].arguments.as_ref().expect("an object")["path"], json!("a"));
    assert_eq!((answer.tokens.input, answer.tokens.output, answer.tokens.cache_read), (Some(12), Some(5), 8));
    assert_eq!(read(ApiFormat::ChatCompletions, true, &pieces[..2]), Err(Fault::Cut));
    let whole = "{\"choices\":[{\"message\":{\"content\":\"done\"},\"finish_reason\":\"length\"}]}";
    let answer = read(ApiFormat::ChatCompletions, false, &[whole]).expect("an answer");
    assert_eq!((answer.text.as_str(), answer.stop, answer.tokens.is_told()), ("done", Stop::Length, false));
}

#[test]
fn errors_and_nonsense_are_told() {
    let error = "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}\n\n";
    let said = Fault::Said { kind: "overloaded_error".to_owned(), message: "busy".to_owned() };
    assert_eq!(read(ApiFormat::Messages, true, &[error]), Err(said.clone()));
    assert_eq!(read(ApiFormat::ChatCompletions, true, &[error]), Err(said));
    assert!(matches!(read(ApiFormat::Messages, false, &["<html>"]), Err(Fault::Nonsense(_))));
    assert!(matches!(read(ApiFormat::ChatCompletions, false, &["{}"]), Err(Fault::Nonsense(_))));
    let call = "{\"choices\":[{\"message\":{\"tool_calls\":[{\"id\":\"\",\"function\":{\"name\":\"x\",\"arguments\":\"[1\"}}]}}]}";
    let answer = read(ApiFormat::ChatCompletions, false, &[call]).expect("an answer");
    assert_eq!(answer.calls[0].arguments, Err("[1".to_owned()));
}

#[test]
fn addresses_are_those_of_the_format() {
    let of = |url| address(url, ApiFormat::Messages);
    assert_eq!(of("https://a.example"), "https://a.example/v1/messages");
    assert_eq!(of("https://a.example/v1/"), "https://a.example/v1/messages");
    assert_eq!(address("http://b/v1", ApiFormat::ChatCompletions), "http://b/v1/chat/completions");
}

/// Streams in either format, to be cut and broken.
const STREAMS: [&str; 2] = [
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":12,\"output_tokens\":1}}}\n\n\
     data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\r\n\r\n\
     data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Über\"}}\n\n\
     data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"scan\",\"input\":{}}}\n\n\
     data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}\n\n: ping\n\n\
     data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":9}}\n\n\
     data: {\"type\":\"message_stop\"}\n\ndata: what comes behind the end\n\n",
    "\u{feff}data: {\"choices\":[{\"delta\":{\"content\":\"Über\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\
     \"function\":{\"name\":\"scan\",\"arguments\":\"{\"}}]}}]}\r\rdata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":\
     {\"arguments\":\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":5}}\n\n\
     data: [DONE]\n\ndata: what comes behind the end\n\n",
];

/// The pieces between places, which may stand anywhere.
fn cut<'b>(bytes: &'b [u8], places: &[usize]) -> Vec<&'b [u8]> {
    let mut places: Vec<usize> = places.iter().map(|it| it % (bytes.len() + 1)).collect();
    places.sort_unstable();
    let begins = std::iter::once(0).chain(places.iter().copied());
    begins.zip(places.iter().copied().chain([bytes.len()])).map(|(begin, end)| &bytes[begin..end]).collect()
}

#[test]
fn a_stream_that_is_cut_at_every_byte_is_the_same_answer() {
    for (format, stream) in [ApiFormat::Messages, ApiFormat::ChatCompletions].into_iter().zip(STREAMS) {
        let whole = answer_of(format, true, &[stream.as_bytes()]);
        assert_eq!(whole, Ok(("Über".to_owned(), vec!["scan Ok({})".to_owned()])));
        let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
        assert_eq!(answer_of(format, true, &bytes), whole);
    }
}

proptest! {
    #[test]
    fn any_words_are_the_same_answer_however_they_are_cut(
        text in "(data: |event: |\\{|\\}|\\[|\\]|\"type\":|\"index\":|\"choices\":|\"delta\":|\"message_stop\"|\"tool_calls\":|\\[DONE\\]|[0-9]|,|\n|\r|\"a\"|é){0,60}",
        is_stream: bool,
        places in proptest::collection::vec(any::<usize>(), 0..6),
    ) {
        for format in [ApiFormat::Messages, ApiFormat::ChatCompletions] {
            let whole = answer_of(format, is_stream, &[text.as_bytes()]);
            prop_assert_eq!(answer_of(format, is_stream, &cut(text.as_bytes(), &places)), whole);
        }
    }

    #[test]
    fn any_bytes_in_a_stream_are_the_same_answer_however_it_is_cut(
        which in 0_usize..2,
        strange in proptest::collection::vec((any::<usize>(), any::<u8>(), any::<bool>()), 0..4),
        places in proptest::collection::vec(any::<usize>(), 0..8),
        is_stream: bool,
    ) {
        let mut bytes = STREAMS[which].as_bytes().to_vec();
        for (at, byte, takes_place) in strange {
            let at = at % bytes.len();
            if takes_place { bytes[at] = byte } else { bytes.insert(at, byte) }
        }
        for format in [ApiFormat::Messages, ApiFormat::ChatCompletions] {
            let whole = answer_of(format, is_stream, &[bytes.as_slice()]);
            prop_assert_eq!(answer_of(format, is_stream, &cut(&bytes, &places)), whole);
        }
    }
}
