/** The objects of a payment. A line of the log about one of them has its public id in the field of this name. */
const PREFIX = { escrowId: 'esc', linkId: 'pay', transactionId: 'txn' } as const;
const FIELDS = Object.keys(PREFIX) as (keyof typeof PREFIX)[]; // exactly the keys of the object above
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Subjects = { readonly [Field in keyof typeof PREFIX]?: string };

/** The escrow, link and transaction whose public ids are among the values of the objects. The first one of a kind counts. */
export function subjectsOf(...objects: readonly unknown[]): Subjects {
  const values = objects.flatMap((object) =>
    typeof object === 'object' && object !== null ? Object.values(object) : [],
  );
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const id = values.find((value) => isPublicId(PREFIX[field], value));
      return id === undefined ? [] : [[field, id]];
    }),
  );
}

/** The same for a step of a run: of the id of its workflow, and of the state that the step writes, which has bare ids. */
export function subjectsOfStep(workflowId: string | undefined, [input]: readonly unknown[]): Subjects {
  const state = fieldOf(input, 'state');
  const terms = fieldOf(state, 'terms');
  const named = FIELDS.map((field) => `${PREFIX[field]}_${fieldOf(terms, field) ?? fieldOf(state, field)}`);
  return subjectsOf([workflowId?.split('/')[1], ...named]);
}

function isPublicId(prefix: string, value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(`${prefix}_`) && UUID.test(value.slice(prefix.length + 1));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
