/**
 * To be run in a page: what no dashboard can do without, to ask the sandbox and to draw a frame.
 * @returns how long that takes in this moment, milliseconds
 */
export async function timeOfOneQuestion(path: string): Promise<number> {
  const start = performance.now()
  const answer = await fetch(path)
  await answer.text()
  await new Promise((resolve) => requestAnimationFrame(resolve))
  return performance.now() - start
}
