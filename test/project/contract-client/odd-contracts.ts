/** Operations with what clients often get wrong: the digits of integers, encodings, and statuses. */
export const ODD_CONTRACT = `
openapi: 3.1.0
info: {title: Odd, version: 1.0.0}
paths:
  /values:
    put:
      operationId: putValues
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Values'}}}}
      responses: {200: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Values'}}, text/csv: {schema: {type: string}}}}}
  /parts/{key}/{id}:
    get:
      operationId: getPart
      parameters:
        - {in: path, name: key, required: true, schema: {type: string}}
        - {in: path, name: id, required: true, schema: {$ref: '#/components/schemas/Id'}}
        - {in: query, name: ids, schema: {type: array, items: {$ref: '#/components/schemas/Id'}}}
        - {in: query, name: least, schema: {type: integer}}
        - {in: header, name: X-Version, schema: {$ref: '#/components/schemas/Id'}}
      responses:
        200: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Id'}}}}
        202: {description: d, content: {application/json: {schema: {type: object, required: [after], properties: {after: {type: integer}}}}}}
        204: {description: d}
        303: {description: d, headers: {Location: {schema: {type: string}}}}
        304: {description: d}
        410: {description: d, content: {application/json: {schema: {type: string}}}}
components:
  schemas:
    Id: {type: integer, format: int64}
    Values:
      type: object
      properties:
        nested: {type: array, items: {type: array, items: {$ref: '#/components/schemas/Id'}}}
        map: {type: object, properties: {name: {type: string}, count: {type: integer, format: int32}, other: {type: number}}, additionalProperties: {type: [integer, 'null'], format: int64}}
        maps: {type: object, additionalProperties: {type: object, additionalProperties: {$ref: '#/components/schemas/Id'}}}
        nullable: {type: [integer, 'null'], format: int64}
        either: {oneOf: [{type: string}, {$ref: '#/components/schemas/Id'}]}
        expanded: {type: array, items: {anyOf: [{$ref: '#/components/schemas/Id'}, {type: object, properties: {id: {$ref: '#/components/schemas/Id'}, name: {type: string}, sizes: {type: array, items: {$ref: '#/components/schemas/Id'}}}}]}}
        listed: {type: array, items: {anyOf: [{type: number}, {type: array, items: {$ref: '#/components/schemas/Id'}}]}}
        absent: {anyOf: [{$ref: '#/components/schemas/Id'}, {type: 'null'}]}
        plain: {type: integer}
        large: {type: integer, minimum: 0, maximum: 9223372036854775807}
        fixed: {const: 9007199254740993}
        ratio: {type: number}
        any: {}
        open: {type: object, additionalProperties: true}
`;
