//! Functions that texts name for what is done, and what programs in texts write to a store.

use super::{entities, named, operations};
use crate::architect::decompose;

fn ids(text: &str) -> Vec<String> {
    let mut all: Vec<String> =
        operations(&decompose(text)).iter().filter_map(|it| Some(it.rsplit_once(' ')?.1.to_owned())).collect();
    all.sort();
    all
}

#[test]
fn lists_of_functions_are_deeds_and_no_fields() {
    let text = "# Vans\n\n## Trips\n\n- `create_trip`\n- `get_trip`\n- `list_trips_for_van`\n- `extend_trip`\n\n## Vans\n\n\
                - `add_van(plate, seats)`: a new van\n- `get_van_by_plate(plate)`\n";
    assert_eq!(ids(text), ["createTrip", "createVan", "extendTrip", "getTrip", "getVan", "listTrips"]);
    let found = decompose(text);
    assert!(["Trip", "Van"].iter().all(|it| entities(&found).contains(it)));
    assert_eq!(named(&found, "Van"), ["plate", "seats"]);
    assert!(named(&found, "Trip").is_empty());
    // What begins with a verb by chance is a column.
    let columns = "# Vans\n\n## Data model\n\n### Trip\n\n- `update_id`\n- `check_in`\n- `seats`\n";
    assert_eq!(named(&decompose(columns), "Trip"), ["update_id", "check_in", "seats"]);
    assert!(ids(columns).is_empty());
}

#[test]
fn tables_headings_and_sentences_of_functions_are_deeds() {
    let table = "# Vans\n\n## TripService\n\n| Method | Parameters | Returns |\n|---|---|---|\n\
                 | `createTrip` | `TripDTO dto` | `TripDTO` |\n| `getTripById` | `Long id` | `TripDTO` |\n\
                 | `renewTrip` | `Long id` | `TripDTO` |\n| `isLate` | `Long id` | `boolean` |\n";
    assert_eq!(ids(table), ["createTrip", "getTrip", "renewTrip"]);
    let headings = "# Vans\n\n### createTrip(vanId)\n\nMakes one.\n\n### getTrips()\n\nAll.\n\n### returnTrip(tripId)\n\nEnds one.\n";
    assert_eq!(ids(headings), ["createTrip", "listTrips", "returnTrip"]);
    let tools = "# Vans\n\nThe server offers tools (`search_vans`, `create_trip`, `delete_trip`) to agents.\n";
    assert_eq!(ids(tools), ["createTrip", "deleteTrip", "listVans"]);
}

#[test]
fn permissions_are_deeds() {
    let text = "# Vans\n\n| Permission | Grants |\n|---|---|\n| `create_trips`, `edit_trips`, `cancel_trips` | trips |\n\
                | `view_drivers`, `create_drivers` | drivers |\n| `manage_drivers` | all |\n| `manage_settings` | all |\n";
    assert_eq!(
        ids(text),
        ["cancelTrip", "createDriver", "createTrip", "deleteDriver", "listDrivers", "updateDriver", "updateTrip"]
    );
}

#[test]
fn code_that_declares_functions_tells_deeds() {
    let text = "# Vans\n\nA van makes trips.\n\n```ts\nexport async function createTrip(input: TripInput): Promise<string> {\n  \
                return await getClient().post(input);\n}\n```\n\n```python\ndef add_van(self, plate): ...\n```\n\n\
                ```\ndelete_trip()\ncheck_conflicts()\n```\n";
    assert_eq!(ids(text), ["addVan", "createTrip", "deleteTrip", "getConflict"]);
    let called = "# Vans\n\n```ts\nconst trip = await createTrip(input);\n  getTrips();\n```\n";
    assert!(ids(called).is_empty());
}

#[test]
fn writes_to_a_store_have_the_members_of_its_documents() {
    let text = "# Vans\n\n```ts\nconst ref = doc(collection(db, 'trips'));\nawait setDoc(ref, {\n  id: ref.id,\n  vanId,\n  \
                ...input,\n  state: 'open', // for now\n});\nawait updateDoc(doc(db, 'trips', id), { endedAt: now() });\n\
                await addDoc(collection(db, 'vans', vanId, 'notes'), { text, writtenBy: uid });\n```\n";
    let found = decompose(text);
    assert_eq!(named(&found, "Trip"), ["id", "vanId", "state", "endedAt"]);
    assert_eq!(named(&found, "Note"), ["text", "writtenBy"]);
    let chains = "# Vans\n\n```js\ndb.collection('vans').doc(id).set({ plate: 'X', seats: 4 });\n\
                  db.trips.insertOne({ km: 3, town: 'Oslo' });\n\
                  await supabase.from('drivers').insert({ license: 'B', born: day });\n\
                  await prisma.fine.create({ data: { cents: 4, reason: why } });\n```\n";
    let found = decompose(chains);
    assert_eq!(named(&found, "Van"), ["plate", "seats"]);
    assert_eq!(named(&found, "Trip"), ["km", "town"]);
    assert_eq!(named(&found, "Driver"), ["license", "born"]);
    assert_eq!(named(&found, "Fine"), ["cents", "reason"]);
}
