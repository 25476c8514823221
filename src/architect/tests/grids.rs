//! Tables and schemas in notations that are none of Markdown's: HTML, grids of signs, schemas as data, migrations.

use super::{entities, named};
use crate::architect::decompose;

#[test]
fn a_table_of_html_is_a_table() {
    let found = decompose(
        "# App\n\n<h2>Data</h2>\n\n<table>\n  <tr><th>Table</th><th>Column</th><th>Remark</th></tr>\n  \
         <tr><td rowspan=\"2\">parcel</td><td>parcel_no</td><td>key</td></tr>\n  <tr><td>weight</td><td></td></tr>\n  \
         <tr><td>round</td><td>round_id</td><td>key</td></tr>\n  <tr><td></td><td>city</td><td></td></tr>\n</table>\n",
    );
    assert_eq!(named(&found, "Parcel"), ["parcel_no", "weight"]);
    assert_eq!(named(&found, "Round"), ["round_id", "city"]);
}

#[test]
fn a_grid_of_signs_is_a_table_below_its_name() {
    let head = "+-----------+---------+\n| Name      | Type    |\n+===========+=========+\n";
    let found = decompose(&format!(
        "App\n===\n\nTables\n------\n\nparcel\n\n{head}| parcel_no | int     |\n+-----------+---------+\n\
         | weight    | int     |\n+-----------+---------+\n\nround\n\n{head}| round_id  | int     |\n+-----------+---------+\n\
         | city      | text    |\n+-----------+---------+\n"
    ));
    assert_eq!(named(&found, "Parcel"), ["parcel_no", "weight"]);
    assert_eq!(named(&found, "Round"), ["round_id", "city"]);
}

#[test]
fn what_a_database_prints_of_its_tables_is_read() {
    let found = decompose(
        "# App\n\n```\nmysql> describe parcel;\n+--------+------+------+\n| Field  | Type | Null |\n+--------+------+------+\n\
         | id     | int  | NO   |\n| weight | int  | YES  |\n+--------+------+------+\n2 rows in set\n```\n",
    );
    assert_eq!(named(&found, "Parcel"), ["id", "weight"]);
    let found = decompose(
        "# App\n\n```\nTABLE   COLUMN     TYPE\n------  ---------  ----\nparcel  parcel_no  int\nparcel  weight     int\n\
         round   city       text\n```\n",
    );
    assert_eq!(named(&found, "Parcel"), ["parcel_no", "weight"]);
    assert_eq!(named(&found, "Round"), ["city"]);
}

#[test]
fn the_line_before_a_table_may_name_its_thing() {
    let rows = "| Key | Schema type |\n|---|---|\n| label | String |\n| weight | Number |\n";
    let found = decompose(&format!("# App\n\n`models/Parcel.js`\n\n{rows}\n**Table 2.** *Round*\n\n{rows}"));
    assert_eq!(named(&found, "Parcel"), ["label", "weight"]);
    assert_eq!(named(&found, "Round"), ["label", "weight"]);
    let found = decompose(&format!("# App\n\n## Send a parcel\n\nRequest\n\n{rows}"));
    assert!(!entities(&found).contains(&"Request"));
}

#[test]
fn things_stand_side_by_side_or_above_what_they_have() {
    let found = decompose(
        "# App\n\n| PARCEL | ROUND |\n|---|---|\n| parcel_id | round_id |\n| weight | city |\n| | starts_at |\n\n\
         ## Fields\n\n| | |\n|---|---|\n| Van | plate, driven by, kind (small, large) |\n| Depot | city, start of the lease |\n",
    );
    assert_eq!(named(&found, "Parcel"), ["parcel_id", "weight"]);
    assert_eq!(named(&found, "Round"), ["round_id", "city", "starts_at"]);
    assert_eq!(named(&found, "Van"), ["plate", "driven by", "kind"]);
    assert_eq!(named(&found, "Depot"), ["city", "start of the lease"]);
}

#[test]
fn schemas_as_data_have_things_and_fields() {
    let found = decompose(
        "# App\n\n```yaml\nentities:\n  Parcel:\n    description: sent\n    fields:\n      label: { type: string }\n      \
         address:\n        type: object\n        properties:\n          street: { type: string }\n  Round:\n    fields:\n      \
         - name: city\n        type: string\n      - name: startsAt\n```\n\n```json\n{ \"title\": \"Van\", \"type\": \"object\",\n  \
         \"properties\": { \"plate\": { \"type\": \"string\" }, \"seats\": { \"type\": \"integer\" } } }\n```\n",
    );
    assert_eq!(named(&found, "Parcel"), ["label", "address"]);
    assert_eq!(named(&found, "Round"), ["city", "startsAt"]);
    assert_eq!(named(&found, "Van"), ["plate", "seats"]);
}

#[test]
fn migrations_and_files_of_values_have_columns() {
    let found = decompose(
        "# App\n\n```ruby\ncreate_table \"parcels\" do |t|\n  t.string \"label\", null: false\n  t.integer \"weight\"\n  \
         t.index [\"label\"]\nend\n```\n\n**rounds.csv**\n```csv\nround_id,city\n7,Bern\n```\n",
    );
    assert_eq!(named(&found, "Parcel"), ["label", "weight"]);
    assert_eq!(named(&found, "Round"), ["round_id", "city"]);
}

#[test]
fn classes_may_open_their_brace_on_a_line_and_have_a_name_in_quotes() {
    let found = decompose(
        "# App\n\n```csharp\npublic class Parcel\n{\n    [Key] public int Id { get; set; }\n    \
         public string Label { get; set; } = null!;\n}\n```\n\n```plantuml\n@startuml\nentity \"Van Depot\" as depot {\n  \
         *depot_id : number <<generated>>\n  city : text\n}\nentity \"Round\" as round {\n  *round_id : number\n  day : date\n}\n\
         depot ||--o{ round\n@enduml\n```\n\n```\nSTRUCT Stop\n    number : integer\n    address : text\n```\n",
    );
    assert_eq!(named(&found, "Parcel"), ["Id", "Label"]);
    assert_eq!(named(&found, "VanDepot"), ["depot_id", "city"]);
    assert_eq!(named(&found, "Stop"), ["number", "address"]);
    assert!(!entities(&found).contains(&"Depot"));
}

#[test]
fn tables_of_use_cases_have_no_fields() {
    let text = "# School\n\n## UC-4: Manage courses\n\n| Field | Description |\n|---|---|\n| **Actor** | Teacher |\n\
                | **Preconditions** | The teacher is signed in |\n| **Main Flow** | 1. Teacher creates a course<br>2. Teacher \
                enters name and room<br>3. System saves the course |\n| **Postconditions** | The course exists |\n";
    let found = decompose(text);
    let course = found.domain_model.entities.iter().find(|it| it.name == "Course").expect("there is one");
    let fields: Vec<&str> = course.fields.iter().map(|it| it.name.as_str()).collect();
    assert!(
        !fields.iter().any(|it| ["Actor", "Preconditions", "Main Flow", "Postconditions"].contains(it)),
        "{fields:?}"
    );
}
