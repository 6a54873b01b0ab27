/** A contract with more of OpenAPI than the pets use. */
export const ORDERS_CONTRACT = `
openapi: 3.1.0
info: {title: Orders, version: 1.0.0}
security: [{apiKey: []}]
paths:
  /orders:
    parameters: [{in: header, name: X-Trace, schema: {type: string}}]
    get:
      operationId: listOrders
      parameters:
        - {in: query, name: minTotal, schema: {type: number}}
        - {in: query, name: status, schema: {type: array, items: {$ref: '#/components/schemas/Status'}}}
        - {in: query, name: since, schema: {type: integer, format: int64}}
      responses: {200: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Order'}}}}}}
    post:
      operationId: createOrder
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses: {201: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}, 422: {content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}}
  /drafts:
    post:
      operationId: createDraft
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Draft'}}}}
      responses: {201: {content: {application/json: {schema: {$ref: '#/components/schemas/Draft'}}}}}
  /clinics:
    post:
      operationId: createClinic
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Clinic'}}}}
      responses: {201: {content: {application/json: {schema: {$ref: '#/components/schemas/Clinic'}}}}}
  /wards:
    post:
      operationId: createWard
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Ward'}}}}
      responses: {201: {content: {application/json: {schema: {$ref: '#/components/schemas/Ward'}}}}}
  /orders/{orderId}:
    parameters: [{in: path, name: orderId, required: true, schema: {type: integer, format: int64}}]
    patch:
      operationId: changeOrder
      requestBody: {content: {application/json: {schema: {type: object, properties: {status: {$ref: '#/components/schemas/Status'}}}}}}
      responses: {200: {content: {application/json: {schema: {$ref: '#/components/schemas/Strict'}}}}, 409: {content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}}
    delete: {operationId: deleteOrder, responses: {204: {description: gone}, 404: {content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}}}
components:
  securitySchemes: {apiKey: {type: http, scheme: bearer}}
  schemas:
    Status: {type: string, enum: [open, shipped]}
    Error: {type: object, required: [code, message, status], properties: {code: {type: string}, message: {type: string}, status: {type: integer}}}
    Line: {type: object, required: [petId, count], properties: {petId: {type: integer, format: int64}, count: {type: integer, format: int32}}}
    Order:
      type: object
      required: [id, customer, lines]
      properties:
        id: {type: integer, format: int64, readOnly: true}
        secret: {type: string, writeOnly: true}
        customer: {type: object, required: [email], properties: {email: {type: string, format: email}, note: {type: [string, 'null']}}}
        lines: {type: array, items: {$ref: '#/components/schemas/Line'}}
        total: {type: string, pattern: '^[0-9]+$'}
        at: {type: string, format: date-time}
        tags: {type: object, additionalProperties: {type: integer, format: int64}}
        status: {$ref: '#/components/schemas/Status'}
    Strict: {allOf: [{$ref: '#/components/schemas/Order'}], required: [status, total], properties: {extra: {oneOf: [{type: string}, {type: integer, format: int64}]}}}
    Draft: {type: object, allOf: [{$ref: '#/components/schemas/Order'}], required: [id, secret, total, source], properties: {name: {type: string}}}
    NewClinic: {type: object, properties: {id: {type: integer, format: int64, readOnly: true}, capacity: {type: integer, format: int32}, parent: {$ref: '#/components/schemas/Parent'}}}
    Clinic: {allOf: [{$ref: '#/components/schemas/NewClinic'}, {type: object, required: [id, capacity, booked, owner], properties: {booked: {type: boolean}}}]}
    Parent: {allOf: [{type: object, properties: {id: {type: integer, format: int64, readOnly: true}, zip: {type: string}}}, {type: object, required: [id], properties: {id: {type: integer, format: int64}, name: {type: string}}}]}
    Tree: {allOf: [{type: object, properties: {id: {type: integer, format: int64, readOnly: true}, left: {$ref: '#/components/schemas/Tree'}}}, {type: object, required: [id, left], properties: {id: {type: integer, format: int64}, right: {$ref: '#/components/schemas/Tree'}}}]}
    Bed: {type: object, required: [pin], properties: {pin: {type: string, writeOnly: true}, note: {type: string}}}
    Ward: {allOf: [{$ref: '#/components/schemas/Bed'}, {allOf: [{required: [pin, note]}, {type: object, properties: {pin: {type: string}, size: {type: integer, format: int32}}}]}]}
`;

/** Calls of its operations that must compile, with the errors that the compiler must report. */
export const ORDERS_CALLER = `
import { createClient } from './client/src/client.js';

const client = createClient({ baseUrl: '/v1', key: '' });
const { listOrders, createOrder, createDraft, createClinic, createWard, changeOrder, deleteOrder } = client;

const created = await createOrder({
  body: { customer: { email: 'a', note: null }, lines: [{ petId: 1n, count: 2 }], secret: 's', tags: { a: 1n } },
});
if (created.ok) {
  created.body.id satisfies bigint;
  created.body.tags?.a satisfies bigint | undefined;
  // @ts-expect-error A response has no write-only member.
  void created.body.secret;
} else {
  created.status satisfies 422;
  created.body.code satisfies string;
}
// @ts-expect-error A request has no read-only member.
await createOrder({ body: { id: 1n, customer: { email: 'a' }, lines: [] } });

const order = { customer: { email: 'a' }, lines: [] };
const draft = await createDraft({ body: { ...order, secret: 's', total: '1', source: 'web', name: 'a' } });
if (draft.ok) {
  draft.body.id satisfies bigint;
  draft.body.total satisfies string;
}
// @ts-expect-error The schema requires a member that it does not declare.
await createDraft({ body: { ...order, secret: 's', total: '1' } });

const clinic = await createClinic({ body: { capacity: 1, booked: true, owner: null, parent: { name: 'a' } } });
if (clinic.ok) {
  // Optional in one part, and required by another.
  clinic.body.id satisfies bigint;
  clinic.body.capacity satisfies number;
  clinic.body.booked satisfies boolean;
  clinic.body.owner satisfies unknown;
  clinic.body.parent?.id satisfies bigint | undefined;
  if (clinic.body.parent) clinic.body.parent.id satisfies bigint;
}
// @ts-expect-error A part requires a member that another one declares.
await createClinic({ body: { booked: true, owner: null } });
// @ts-expect-error A request has no member that is read-only in one of two parts.
await createClinic({ body: { capacity: 1, booked: true, owner: null, parent: { id: 1n } } });

const ward = await createWard({ body: { pin: 'a', note: 'b', size: 1 } });
if (ward.ok) {
  ward.body.note satisfies string;
  ward.body.size satisfies number | undefined;
  // @ts-expect-error A response has no member that is write-only in one of two parts.
  void ward.body.pin;
}
// @ts-expect-error A part of a part requires a member.
await createWard({ body: { pin: 'a' } });

const deleted = await deleteOrder({ path: { orderId: 1n } });
if (deleted.status === 204) deleted.body satisfies undefined;
// @ts-expect-error The path is required.
await deleteOrder();

const changed = await changeOrder({ path: { orderId: 1n }, body: { status: 'shipped' } });
if (changed.ok) {
  // Optional in Order, and required by the schema that extends it.
  changed.body.status satisfies 'open' | 'shipped';
  changed.body.extra satisfies string | bigint | undefined;
}
await changeOrder({ path: { orderId: 1n } });

await listOrders({ query: { status: ['open'], since: 2n ** 60n, minTotal: 1.5 }, header: { 'X-Trace': 'a' } });
await listOrders();
`;
