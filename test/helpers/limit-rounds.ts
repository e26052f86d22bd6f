/**
 * Limits the rounds of a loop that waits for a last page or step, so that a wrong cursor fails the test and does not
 * stall the run.
 * @returns function to call in each round
 * @throws {Error} in the round after the last one
 */
export function limitRounds(most = 100): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > most) throw new Error(`the loop has not ended after ${most} rounds`)
  }
}
