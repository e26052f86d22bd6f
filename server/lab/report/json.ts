import { escapeControls } from '../../core/terminal-text.ts'
import type { Report } from './report.ts'

/** Renders a report as JSON, with its counts and the exit code of its gate. */
export function jsonOf({ data }: Report): string {
  return `${escapeControls(JSON.stringify(data, undefined, 2))}\n`
}
