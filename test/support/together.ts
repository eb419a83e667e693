const AT_ONCE = 8;

/** Does `work` for every item, several at a time. The items must not depend on each other. */
export async function together<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items].values();
  const lane = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
