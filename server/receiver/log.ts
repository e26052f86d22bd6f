/** Where the helper writes; `console` fits. */
export interface Log {
  info(message: string): void
  warn(message: string): void
  error(message: string, cause?: unknown): void
}
