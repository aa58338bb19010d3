/** Does `count` things, `width` at a time, and gives their results in order. */
export async function inParallel<T>(count: number, width: number, work: (index: number) => Promise<T>) {
  const results: T[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      results[index] = await work(index)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
