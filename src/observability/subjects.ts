/** The objects of a payment. A line of the log about one of them has its public id in the field of this name. */
const PREFIX = { escrowId: 'esc', linkId: 'pay', transactionId: 'txn' } as const;
const FIELDS = Object.keys(PREFIX) as (keyof typeof PREFIX)[]; // exactly the keys of the object above
const PUBLIC_ID = /^(esc|pay|txn)_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Subjects = { readonly [Field in keyof typeof PREFIX]?: string };

/** The escrow, link and transaction whose public ids are among the values of the objects. The first one of a kind counts. */
export function subjectsOf(...objects: readonly unknown[]): Subjects {
  const found: { -readonly [Field in keyof Subjects]: Subjects[Field] } = {};
  for (const object of objects) {
    if (typeof object !== 'object' || object === null) continue;
    for (const value of Object.values(object)) {
      if (typeof value !== 'string') continue;
      const prefix = PUBLIC_ID.exec(value)?.[1];
      const field = prefix && FIELDS.find((one) => PREFIX[one] === prefix);
      if (field) found[field] ??= value;
    }
  }
  return found;
}

/** The same for a step of a run: of the id of its workflow, and of the state that the step writes, which has bare ids. */
export function subjectsOfStep(workflowId: string | undefined, [input]: readonly unknown[]): Subjects {
  const state = fieldOf(input, 'state');
  const terms = fieldOf(state, 'terms');
  const named = FIELDS.map((field) => `${PREFIX[field]}_${fieldOf(terms, field) ?? fieldOf(state, field)}`);
  return subjectsOf([workflowId?.split('/')[1], ...named]);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
