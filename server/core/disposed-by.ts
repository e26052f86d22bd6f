/**
 * Returns the member that `using` and `await using` call; empty if the realm lacks the symbol, as in some test runners
 * on older versions of Node, which support neither.
 * @param symbol `Symbol.dispose` or `Symbol.asyncDispose`
 */
export function disposedBy<Name extends symbol, End extends () => unknown>(
  symbol: Name | undefined,
  end: End,
): Record<Name, End> {
  const none = {} as Record<Name, End>
  return symbol === undefined ? none : { [symbol]: end }
}
