//! The comparison, by example and by law.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::checks::fixture::Shapes;
use crate::model::{Additional, Field, Literal, Object, Union};
use crate::text::FileId;

/// `kind path` of every difference, nulls stated.
fn compared(sent: &Value, promised: &Value) -> Vec<String> {
    with_names((&json!({}), sent), (&json!({}), promised))
}

fn with_names((mine, sent): (&Value, &Value), (theirs, promised): (&Value, &Value)) -> Vec<String> {
    let (mut code, mut contract) = (Shapes::new(FileId(0), mine), Shapes::new(FileId(1), theirs));
    let (sent, promised) = (code.add(sent, ""), contract.add(promised, ""));
    let found = compare(
        (&code.table, sent),
        (&contract.table, promised),
        Policy { null: true, null_of_references: true, open_null: false, form: None },
    );
    found.iter().map(|difference| format!("{} {}", difference.kind.name(), render(&difference.path))).collect()
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

#[test]
fn members_are_compared_by_name_and_direction() {
    let text = json!({"type": "string"});
    let promised = object(
        &json!({"id": text, "note": text, "userId": text, "secret": {"type": "string", "writeOnly": true}}),
        &["id", "userId", "secret"],
    );
    let sent = object(&json!({"user_id": text, "extra": text}), &[]);
    assert_eq!(
        compared(&sent, &promised),
        ["missing-field id", "missing-optional-field note", "casing userId", "extra-field extra"]
    );
    let mut maybe = object(&json!({"id": text, "userId": text, "note": text}), &[]);
    maybe["maybe"] = json!(["id", "note"]);
    assert_eq!(compared(&maybe, &promised), ["optional id"]);
}

#[test]
fn a_closed_object_forbids_and_a_map_takes_further_members() {
    let sent = object(&json!({"a": {"type": "string"}, "b": {"type": "integer"}}), &[]);
    let mut promised = object(&json!({"a": {"type": "string"}}), &[]);
    promised["additionalProperties"] = json!(false);
    assert_eq!(compared(&sent, &promised), ["forbidden-field b"]);
    promised["additionalProperties"] = json!({"type": "string"});
    assert_eq!(compared(&sent, &promised), ["type b"]);
    assert_eq!(compared(&sent, &json!({"type": "object"})), Vec::<String>::new());
    let map = |value: &str| json!({"type": "object", "additionalProperties": {"type": value}});
    assert_eq!(compared(&map("string"), &map("integer")), ["type *"]);
    assert_eq!(compared(&map("string"), &promised), Vec::<String>::new());
    assert_eq!(compared(&sent, &map("integer")), ["type a"]);
}

#[test]
fn a_member_may_be_among_those_that_are_not_known() {
    let mut sent = object(&json!({"a": {"type": "string"}}), &[]);
    let promised = object(&json!({"a": {"type": "integer"}, "b": {"type": "integer"}}), &["b"]);
    assert_eq!(compared(&sent, &promised), ["type a", "missing-field b"]);
    sent["additionalProperties"] = json!({"type": "unknown"});
    assert_eq!(compared(&sent, &promised), ["type a"]);
}

#[test]
fn types_agree_up_to_the_integer_that_is_a_number() {
    let of = |name: &str| json!({"type": name});
    for (sent, promised, expected) in [
        ("integer", "number", None),
        ("number", "integer", Some("type ")),
        ("string", "integer", Some("type ")),
        ("array", "object", Some("type ")),
        ("unknown", "integer", None),
        ("string", "unknown", None),
        ("string", "any", None),
        ("any", "string", None),
        ("null", "string", Some("nullable ")),
    ] {
        let found = compared(&of(sent), &of(promised));
        assert_eq!(found.first().map(String::as_str), expected, "{sent} for {promised}");
    }
}

#[test]
fn a_closed_set_is_held_against_a_closed_set_only() {
    let set = |values: Value| json!({"type": "string", "enum": values});
    assert_eq!(compared(&set(json!(["a", "b"])), &set(json!(["a"]))), ["enum-value "]);
    assert_eq!(compared(&set(json!(["a"])), &set(json!(["a", "b"]))), Vec::<String>::new());
    assert_eq!(compared(&json!({"type": "string"}), &set(json!(["a"]))), Vec::<String>::new());
    assert_eq!(compared(&set(json!(["a", null])), &set(json!(["a"]))), ["nullable "]);
    let (one, float) = (json!({"type": "integer", "enum": [1]}), json!({"type": "number", "enum": [1.0]}));
    assert_eq!(compared(&one, &float), Vec::<String>::new());
    let alternatives = json!({"anyOf": [set(json!(["a"])), set(json!(["b"]))]});
    assert_eq!(compared(&set(json!(["a", "b"])), &alternatives), Vec::<String>::new());
    assert_eq!(compared(&set(json!(["a", "c"])), &alternatives), ["enum-value "]);
}

#[test]
fn null_is_compared_wherever_it_is_written() {
    let plain = json!({"type": "string"});
    for nullable in
        [json!({"type": "string", "nullable": true}), json!({"anyOf": [{"type": "string"}, {"type": "null"}]})]
    {
        assert_eq!(compared(&nullable, &plain), ["nullable "]);
        assert_eq!(compared(&plain, &nullable), Vec::<String>::new());
        assert_eq!(compared(&nullable, &nullable), Vec::<String>::new());
    }
    let names = json!({"User": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}});
    let wrapped = json!({"allOf": [{"$ref": "User"}], "nullable": true});
    assert_eq!(with_names((&names, &wrapped), (&names, &json!({"$ref": "User"}))), ["nullable "]);
    assert_eq!(with_names((&names, &wrapped), (&names, &wrapped)), Vec::<String>::new());
}

#[test]
fn paths_lead_through_lists_and_maps() {
    let page = |leaf: &str| {
        let row = object(&json!({"name": {"type": leaf}}), &["name"]);
        object(
            &json!({"items": {"type": "array", "items": row}, "by": {"type": "object", "additionalProperties": {"type": "array", "items": row}}}),
            &[],
        )
    };
    assert_eq!(compared(&page("integer"), &page("string")), ["type items[].name", "type by.*[].name"]);
    let list = |items: Value| json!({"type": "array", "items": {"type": "array", "items": items}});
    assert_eq!(compared(&list(json!({"type": "string"})), &list(json!({"type": "integer"}))), ["type [][]"]);
}

#[test]
fn one_declaration_is_compared_once_on_its_shortest_path() {
    let user = |leaf: &str| {
        json!({"User": {"type": "object", "properties": {
        "age": {"type": leaf}, "friend": {"$ref": "User"}, "friends": {"type": "array", "items": {"$ref": "User"}}}, "required": ["age"]}})
    };
    let root = json!({"type": "array", "items": {"$ref": "User"}});
    assert_eq!(with_names((&user("string"), &root), (&user("integer"), &root)), ["type [].age"]);
}

#[test]
fn each_alternative_that_is_sent_must_be_accepted() {
    let cat =
        object(&json!({"kind": {"type": "string", "enum": ["cat"]}, "lives": {"type": "integer"}}), &["kind", "lives"]);
    let dog =
        object(&json!({"kind": {"type": "string", "enum": ["dog"]}, "name": {"type": "string"}}), &["kind", "name"]);
    let either = json!({"anyOf": [cat, dog], "tag": "kind"});
    assert_eq!(compared(&either, &either), Vec::<String>::new());
    assert_eq!(compared(&cat, &either), Vec::<String>::new());
    let mute = object(&json!({"kind": {"type": "string", "enum": ["dog"]}}), &[]);
    assert_eq!(compared(&mute, &either), ["missing-field name"], "the discriminator says which one is meant");
    assert_eq!(compared(&either, &cat), ["enum-value kind", "missing-field lives", "extra-field name"]);
    assert_eq!(compared(&json!({"type": "string"}), &either), ["type "]);
    let scalars = json!({"anyOf": [{"type": "string"}, {"type": "integer"}]});
    assert_eq!(compared(&scalars, &json!({"type": "string"})), ["type "]);
    assert_eq!(compared(&json!({"type": "integer"}), &scalars), Vec::<String>::new());
}

#[test]
fn an_alternative_is_chosen_by_name_before_structure() {
    let mine = json!({"User": object(&json!({"id": {"type": "string"}, "extra": {"type": "string"}}), &["id"])});
    let theirs = json!({
        "User-Output": object(&json!({"id": {"type": "integer"}}), &["id"]),
        "Group": object(&json!({"id": {"type": "integer"}, "members": {"type": "integer"}}), &["id", "members"]),
    });
    let either = json!({"anyOf": [{"$ref": "Group"}, {"$ref": "User-Output"}]});
    assert_eq!(with_names((&mine, &json!({"$ref": "User"})), (&theirs, &either)), ["type id", "extra-field extra"]);
}

#[test]
fn all_parts_count_and_a_lone_part_is_the_declaration_itself() {
    let names = json!({"Base": object(&json!({"id": {"type": "string"}}), &["id"])});
    let all = json!({"allOf": [{"$ref": "Base"}, object(&json!({"name": {"type": "string"}}), &["name"])]});
    let sent = object(&json!({"name": {"type": "string"}}), &[]);
    assert_eq!(with_names((&names, &sent), (&names, &all)), ["missing-field id"]);
    let both = object(&json!({"a": {"allOf": [{"$ref": "Base"}]}, "b": {"$ref": "Base"}}), &[]);
    let empty = object(&json!({"a": object(&json!({"x": {}}), &[]), "b": object(&json!({"x": {}}), &[])}), &[]);
    let found = with_names((&names, &empty), (&names, &both));
    assert_eq!(
        found.iter().filter(|line| line.starts_with("missing-field")).count(),
        2,
        "two types in code: {found:?}"
    );
}

#[test]
fn shapes_are_described_as_people_say_them() {
    let mut shapes = Shapes::new(FileId(0), &json!({"User": object(&json!({}), &[])}));
    let mut say = |schema: Value| {
        let id = shapes.add(&schema, "");
        describe(&shapes.table, id)
    };
    assert_eq!(say(json!({"type": "array", "items": {"$ref": "User"}})), "array of `User`");
    assert_eq!(say(json!({"anyOf": [{"type": "string"}, {"type": "null"}]})), "string or null");
    assert_eq!(say(json!({"type": "string", "enum": ["a", "b"], "nullable": true})), "one of `a`, `b` or null");
    assert_eq!(say(json!({"type": "object", "additionalProperties": {"type": "integer"}})), "map of integer");
}

#[test]
fn a_service_whose_operations_share_a_deep_model_is_compared_once() {
    let mut names = serde_json::Map::new();
    for at in 0..400 {
        let next = json!({"$ref": format!("M{}", (at + 1) % 400)});
        let fields =
            json!({"a": next, "b": {"type": "array", "items": next}, "c": {"anyOf": [next, {"type": "string"}, next]}});
        names.insert(format!("M{at}"), object(&fields, &["a"]));
    }
    let names = Value::Object(names);
    let (code, contract) = (Shapes::new(FileId(0), &names), Shapes::new(FileId(1), &names));
    let mut comparer = Comparer::new(
        &code.table,
        &contract.table,
        Policy { null: true, null_of_references: true, open_null: false, form: None },
    );
    for at in 0..400 {
        let root = ShapeId(at);
        assert!(comparer.differences(root, root).is_empty());
    }
    assert!(comparer.pairs.len() <= 400, "{}", comparer.pairs.len());
    assert!(comparer.steps < 2_000_000, "{}", comparer.steps);
}

/// A table of arbitrary shapes that refer to each other anyhow: cycles, unions, `allOf`.
fn tables() -> impl Strategy<Value = ShapeTable> {
    let node = (0..12_u8, proptest::collection::vec((0..24_u32, any::<bool>()), 0..4), any::<bool>());
    proptest::collection::vec(node, 24).prop_map(|nodes| {
        let mut table = ShapeTable::default();
        for (at, (kind, links, nullable)) in nodes.into_iter().enumerate() {
            let ids: Vec<ShapeId> = links.iter().map(|(id, _)| ShapeId(*id)).collect();
            let first = ids.first().copied();
            let kind = match (kind, first) {
                (0, _) => Kind::String,
                (1, _) => Kind::Integer,
                (2, _) => Kind::Null,
                (3, _) => Kind::Any,
                (4, _) => Kind::Array { prefix: Vec::new(), items: first },
                (5, Some(target)) => Kind::Ref(target),
                (6, _) => Kind::All(ids),
                (7 | 8, _) => Kind::Union(Union { options: ids, discriminator: None, exclusive: false }),
                _ => {
                    let fields = links.iter().enumerate().map(|(name, (id, always))| Field {
                        name: format!("f{name}"),
                        shape: ShapeId(*id),
                        required: *always,
                        always: *always,
                        span: None,
                        declared: None,
                    });
                    Kind::Object(Object { fields: fields.collect(), additional: Additional::Closed })
                }
            };
            table.add(Shape::new(kind).nullable(nullable).named(format!("N{at}")));
        }
        table
    })
}

fn plain_object(fields: Vec<Field>) -> Shape {
    Shape::new(Kind::Object(Object { fields, additional: Additional::Open })).named("Root")
}

fn all_members(table: &ShapeTable) -> Vec<Field> {
    let member = |at: u32| Field {
        name: format!("m{at}"),
        shape: ShapeId(at),
        required: true,
        always: true,
        span: None,
        declared: None,
    };
    (0..table.len() as u32).map(member).collect()
}

/// Every way in which two tables are compared: code against documents with each policy, documents against code, and two
/// documents in both directions.
fn comparers<'t>(producer: &'t ShapeTable, consumer: &'t ShapeTable) -> Vec<Comparer<'t>> {
    let mut all = vec![
        Comparer::of_requests(producer, consumer),
        Comparer::of_documents(producer, consumer, Direction::Request),
        Comparer::of_documents(producer, consumer, Direction::Response),
    ];
    for bits in 0..8_u8 {
        let form = [None, Some(Form::Number), Some(Form::Text)];
        for form in form {
            let (null, null_of_references, open_null) = (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0);
            all.push(Comparer::new(producer, consumer, Policy { null, null_of_references, open_null, form }));
        }
    }
    all
}

proptest! {
    #[test]
    fn nothing_differs_from_itself_in_any_direction(table in tables(), root in 0..24_u32) {
        for mut comparer in comparers(&table, &table) {
            let found = comparer.differences(ShapeId(root), ShapeId(root));
            prop_assert!(found.is_empty(), "{found:?}");
        }
    }

    #[test]
    fn an_optional_member_of_a_response_that_is_added_breaks_nobody_under_any_policy(table in tables(), kind in 0..24_u32) {
        let mut fields = all_members(&table);
        let (mut old, mut new) = (table.clone(), table);
        let promised = old.add(plain_object(fields.clone()));
        fields.push(Field { name: "added".into(), shape: ShapeId(kind), required: false, always: false, span: None, declared: None });
        let sent = new.add(plain_object(fields));
        for mut comparer in comparers(&new, &old).into_iter().filter(|comparer| comparer.direction == Direction::Response) {
            let found = comparer.differences(sent, promised);
            prop_assert!(found.iter().all(|difference| !difference.kind.breaks()), "{found:?}");
        }
    }

    #[test]
    fn a_required_member_that_is_gone_breaks_in_every_direction_and_under_any_policy(table in tables(), gone in 0..24_usize) {
        let mut fields = all_members(&table);
        let (mut old, mut new) = (table.clone(), table);
        let promised = old.add(plain_object(fields.clone()));
        let name = fields.remove(gone).name;
        let sent = new.add(plain_object(fields));
        for mut comparer in comparers(&new, &old) {
            let found = comparer.differences(sent, promised);
            let is_it = |found: &&Difference| found.kind == DifferenceKind::MissingField && found.path == [Step::Field(name.clone())];
            prop_assert_eq!(found.iter().filter(|found| found.kind.breaks()).count(), 1, "{:?}", found);
            prop_assert!(found.iter().any(|found| is_it(&found)));
        }
    }

    #[test]
    fn nothing_differs_from_itself(table in tables(), root in 0..24_u32) {
        let found = compare((&table, ShapeId(root)), (&table, ShapeId(root)), Policy { null: true, null_of_references: true, open_null: false, form: None });
        prop_assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_required_member_that_is_taken_away_is_missing(table in tables(), gone in 0..24_usize) {
        let mut fields = all_members(&table);
        let (mut sent, mut promised) = (table.clone(), table);
        let consumer = promised.add(plain_object(fields.clone()));
        let name = fields.remove(gone).name;
        let producer = sent.add(plain_object(fields));
        let found = compare((&sent, producer), (&promised, consumer), Policy { null: true, null_of_references: true, open_null: false, form: None });
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(found[0].kind, DifferenceKind::MissingField);
        prop_assert_eq!(&found[0].path, &[Step::Field(name)]);
    }

    #[test]
    fn an_optional_member_that_is_added_breaks_nobody(table in tables(), kind in 0..24_u32) {
        let mut fields = all_members(&table);
        let (mut sent, mut promised) = (table.clone(), table);
        let producer = sent.add(plain_object(fields.clone()));
        fields.push(Field { name: "added".into(), shape: ShapeId(kind), required: false, always: false, span: None, declared: None });
        let consumer = promised.add(plain_object(fields));
        let found = compare((&sent, producer), (&promised, consumer), Policy { null: true, null_of_references: true, open_null: false, form: None });
        prop_assert!(found.iter().all(|difference| !difference.kind.breaks()), "{found:?}");
    }
}

#[test]
fn of_shapes_that_nothing_tells_apart_only_what_all_get_wrong_is_wrong() {
    let mut code = ShapeTable::default();
    let values = |table: &mut ShapeTable, kind: Kind, values: &[Literal]| {
        table.add(Shape::new(kind).with_values(values.to_vec()))
    };
    let numbers = values(&mut code, Kind::Integer, &[Literal::Number("0".into()), Literal::Number("1".into())]);
    let names = values(&mut code, Kind::String, &[Literal::String("on".into()), Literal::String("off".into())]);
    let either = code.add(Shape::new(Kind::Either(vec![numbers, names])));
    let differences = |promised: &[&str]| {
        let mut contract = ShapeTable::default();
        let promised: Vec<Literal> = promised.iter().map(|value| Literal::String((*value).into())).collect();
        let promised = values(&mut contract, Kind::String, &promised);
        let policy = Policy { null: true, null_of_references: true, open_null: false, form: None };
        compare((&code, either), (&contract, promised), policy)
    };
    assert!(differences(&["on", "off", "other"]).is_empty());
    let missing = differences(&["on"]);
    assert_eq!(
        missing.iter().map(|found| (found.kind, found.actual.as_str())).collect::<Vec<_>>(),
        [(DifferenceKind::EnumValue, "`off`")]
    );
}

#[test]
fn a_document_that_never_states_null_of_a_reference_says_nothing_of_it() {
    let mut code = ShapeTable::default();
    let sent = code.add(Shape::new(Kind::Boolean).nullable(true));
    let mut contract = ShapeTable::default();
    let named = contract.add(Shape::new(Kind::Boolean).named("Flag"));
    let plain = contract.add(Shape::new(Kind::Boolean));
    let found = |promised, null_of_references| {
        let policy = Policy { null: true, null_of_references, open_null: false, form: None };
        compare((&code, sent), (&contract, promised), policy).len()
    };
    assert_eq!((found(named, true), found(named, false), found(plain, false)), (1, 0, 1));
}

#[test]
fn what_types_leave_open_counts_where_the_document_states_null_of_such_values_as_a_rule() {
    let mut code = ShapeTable::default();
    let open = code.add(Shape { null_open: true, ..Shape::new(Kind::String) });
    let mut contract = ShapeTable::default();
    let (null, plain) = (contract.add(Shape::new(Kind::String).nullable(true)), contract.add(Shape::new(Kind::String)));
    let object = |table: &mut ShapeTable, shapes: &[ShapeId]| {
        let field = |(at, shape): (usize, &ShapeId)| Field {
            name: format!("f{at}"),
            shape: *shape,
            required: false,
            always: true,
            span: None,
            declared: None,
        };
        table.add(plain_object(shapes.iter().enumerate().map(field).collect()))
    };
    for (stated, not_stated, is_rule) in [(20, 1, true), (5, 0, false), (20, 3, false)] {
        let promised: Vec<ShapeId> =
            std::iter::repeat_n(null, stated).chain(std::iter::repeat_n(plain, not_stated)).collect();
        let sent = object(&mut code, &vec![open; promised.len()]);
        let promised = object(&mut contract, &promised);
        let mut policy = Policy { null: true, null_of_references: true, open_null: false, form: None };
        let mut comparer = Comparer::new(&code, &contract, policy);
        assert!(comparer.differences(sent, promised).is_empty());
        assert_eq!(comparer.habits.states_null(), is_rule);
        policy.open_null = true;
        let found = compare((&code, sent), (&contract, promised), policy);
        assert_eq!(found.len(), not_stated);
    }
}

#[test]
fn values_of_an_open_form_have_the_one_that_the_document_states_as_a_rule() {
    let mut code = ShapeTable::default();
    let forms = [Kind::Integer, Kind::String].map(|kind| code.add(Shape::new(kind)));
    let open = code.add(Shape::new(Kind::Either(forms.to_vec())));
    let mut contract = ShapeTable::default();
    let (text, number) = (contract.add(Shape::new(Kind::String)), contract.add(Shape::new(Kind::Integer)));
    let object = |shapes: Vec<ShapeId>| {
        let field = |(at, shape)| Field {
            name: format!("f{at}"),
            shape,
            required: false,
            always: true,
            span: None,
            declared: None,
        };
        plain_object(shapes.into_iter().enumerate().map(field).collect())
    };
    let sent = code.add(object(vec![open; 21]));
    let promised = contract.add(object([vec![text; 20], vec![number]].concat()));
    let mut policy = Policy { null: true, null_of_references: true, open_null: false, form: None };
    let mut comparer = Comparer::new(&code, &contract, policy);
    assert!(comparer.differences(sent, promised).is_empty());
    policy.form = comparer.habits.form();
    assert_eq!(policy.form, Some(Form::Text));
    let found = compare((&code, sent), (&contract, promised), policy);
    assert_eq!(found.iter().map(|found| found.kind).collect::<Vec<_>>(), [DifferenceKind::Type]);
}
