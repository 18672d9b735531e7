package dev.cagewright.supervisor.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonSchemaTest {
    private static JsonValue json(String text) {
        try {
            return Json.parse(text.replace('\'', '"'));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static Optional<String> wrong(String schema, String value) throws BadSchemaException {
        return JsonSchema.of(json(schema), JsonSchema.Reading.STRICT)
                .violation(json(value))
                .map(Violation::toString);
    }

    private static void fits(String schema, String value) throws BadSchemaException {
        assertThat(wrong(schema, value)).as("%s by %s", value, schema).isEmpty();
    }

    private static void refused(String schema, String value, String why) throws BadSchemaException {
        assertThat(wrong(schema, value)).as("%s by %s", value, schema).contains(why);
    }

    @Test
    void each_keyword_lets_its_own_through_and_says_what_is_wrong_with_the_neighbour() throws BadSchemaException {
        fits("{'type':'string'}", "'x'");
        refused("{'type':'string'}", "1", "is no string");
        fits("{'type':['string','null']}", "null");
        refused("{'type':['string','null']}", "false", "is no null or string");
        fits("{'type':'integer'}", "1.0");
        refused("{'type':'integer'}", "1.5", "is no integer");
        fits("{'enum':['a',1]}", "1.0");
        refused("{'enum':['a',1]}", "'A'", "is none of \"a\", 1");
        fits("{'const':{'a':1,'b':[2]}}", "{'b':[2.0],'a':1}");
        refused("{'const':{'a':1}}", "{'a':'1'}", "is none of {\"a\":1}");
        fits("{'minLength':2,'maxLength':3}", "'ab'");
        refused("{'minLength':2}", "'a'", "is shorter than 2 characters");
        refused("{'maxLength':1}", "'ab'", "is longer than 1 characters");
        fits("{'maxLength':1}", "'\uD83D\uDE00'");
        refused("{'pattern':'^[a-z]+$'}", "'a1'", "does not match the pattern ^[a-z]+$");
        fits("{'minimum':1,'exclusiveMaximum':2}", "1.9999");
        refused("{'minimum':1}", "0.9999", "is less than 1");
        refused("{'exclusiveMaximum':2}", "2.0", "is not less than 2");
        refused("{'maximum':9007199254740992}", "9007199254740993", "is more than 9007199254740992");
        refused("{'exclusiveMinimum':0}", "-0", "is not more than 0");
        refused("{'minimum':0}", "-1e400", "is less than 0");
    }

    @Test
    void objects_and_arrays_are_judged_to_the_last_member() throws BadSchemaException {
        var schema = "{'type':'object','required':['path'],'additionalProperties':false,"
                + "'properties':{'path':{'type':'string'},'tags':{'items':{'maxLength':2},'maxItems':2,"
                + "'uniqueItems':true}}}";
        fits(schema, "{'path':'x','tags':['a','b']}");
        refused(schema, "{}", "has no \"path\"");
        refused(schema, "{'path':'x','Path':'y'}", "/Path: has no place here");
        refused(schema, "{'path':'x','tags':['a','abc']}", "/tags/1: is longer than 2 characters");
        refused(schema, "{'path':'x','tags':['a','b','c']}", "/tags: has more than 2 items");
        refused(schema, "{'path':'x','tags':['a','a']}", "/tags: has the same item twice");
        refused("{'uniqueItems':true}", "[{'a':1,'b':2},{'b':2,'a':1.0}]", "has the same item twice");
        refused("{'prefixItems':[{'type':'string'}],'items':false}", "['a',1]", "/1: has no place here");
        refused("{'propertyNames':{'pattern':'^[a-z]+$'}}", "{'a/b':1}", "does not match the pattern ^[a-z]+$");
        refused(
                "{'patternProperties':{'^x-':{'type':'string'}},'additionalProperties':false}",
                "{'x-a':1}",
                "/x-a: is no string");
        fits("{'patternProperties':{'^x-':true},'additionalProperties':false}", "{'x-a':1}");
        refused("{'minProperties':1}", "{}", "has fewer than 1 members");
    }

    @Test
    void schemas_are_combined_and_refer_to_their_own_places() throws BadSchemaException {
        refused("{'anyOf':[{'type':'string'},{'type':'null'}]}", "1", "fits none of the 2 schemas of anyOf");
        refused("{'oneOf':[{'minimum':1},{'minimum':2}]}", "3", "fits 2 of the 2 schemas of oneOf, and not one");
        refused("{'not':{'const':'rm'}}", "'rm'", "is what it must not be");
        refused("{'allOf':[{'minLength':1},{'maxLength':1}]}", "'ab'", "is longer than 1 characters");
        var tree =
                "{'$ref':'#/$defs/node','$defs':{'node':{'type':'object','properties':{'next':{'$ref':'#/$defs/node'},"
                        + "'name':{'type':'string'}}}}}";
        fits(tree, "{'next':{'next':{'name':'x'}}}");
        refused(tree, "{'next':{'next':{'name':1}}}", "/next/next/name: is no string");
        refused("{'$ref':'#'}", "1", "the schema refers to itself without end, or nests too deep");
    }

    @Test
    void what_is_not_known_is_an_error_where_people_write_it_and_silence_where_a_server_does()
            throws BadSchemaException {
        bad("{'maxLenght':3}", "/maxLenght", "the keyword \"maxLenght\" is not known");
        bad("{'properties':{'a':{'format':'email'}}}", "/properties/a/format", "the keyword \"format\" is not known");
        bad("{'$ref':'other.json'}", "/$ref", "nothing is fetched");
        bad("{'$ref':'#/nowhere'}", "/$ref", "$ref to #/nowhere, which is not there");
        bad("{'pattern':'(?=x)'}", "/pattern", "the pattern has looking around");
        bad("{'type':'strin'}", "/type", "a type that is none of object, array,");
        bad("{'minLength':-1}", "/minLength", "minLength has to be a whole number from 0");
        bad("[]", "", "a schema is a mapping, true or false");
        var server = "{'format':'email','$ref':'http://elsewhere.test/x.json','pattern':'(?=x)','if':{},"
                + "'not':{'$ref':'other'},'type':'string'}";
        var lenient = JsonSchema.of(json(server), JsonSchema.Reading.LENIENT);
        assertThat(lenient.violation(json("'x'"))).isEmpty();
        assertThat(lenient.violation(json("1"))).contains(new Violation("", "is no string"));
    }

    private static void bad(String schema, String pointer, String why) {
        assertThatThrownBy(() -> JsonSchema.of(json(schema), JsonSchema.Reading.STRICT))
                .as(schema)
                .isInstanceOfSatisfying(
                        BadSchemaException.class, e -> assertThat(e.pointer()).isEqualTo(pointer))
                .hasMessageContaining(why);
    }

    @Test
    void B228_schemas_that_multiply_end_as_a_refusal() throws BadSchemaException {
        var many = new StringBuilder("{'$defs':{'a0':{'type':'string'}");
        for (int i = 1; i <= 30; i++) {
            var before = "{'$ref':'#/$defs/a" + (i - 1) + "'}";
            many.append(",'a")
                    .append(i)
                    .append("':{'anyOf':[")
                    .append(before)
                    .append(',')
                    .append(before)
                    .append("]}");
        }
        many.append("},'$ref':'#/$defs/a30'}");

        refused(many.toString(), "1", "takes too long to be judged");
        assertThat(wrong("{'items':{'pattern':'^(a+)+$'}}", "['" + "a".repeat(100_000) + "b']"))
                .contains("/0: does not match the pattern ^(a+)+$");
    }
}
