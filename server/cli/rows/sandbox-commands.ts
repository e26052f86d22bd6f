import type { ControlOptions } from '../read-options.ts'
import type { Row } from '../program/row.ts'

const ending = 'Exit codes: 0 success; 1 no sandbox found; 2 invalid usage.'

export const status: Row = {
  name: 'status',
  does: 'Show URL, uptime and everything that is active',
  load: async () => (await import('../status.ts')).status,
  json: 'Print the status as JSON',
  examples: {
    'Show URL, uptime, clock, faults, barriers, experiments, audits and flags':
      'hub-sandbox status',
    'Print the same as JSON': 'hub-sandbox status --json',
  },
  ending,
}

export const stop: Row = {
  name: 'stop',
  does: 'Stop the sandbox and save its state',
  load: async () => (await import('../stop-command.ts')).stop,
  examples: { 'Finish requests in flight, save, and wait for the exit': 'hub-sandbox stop' },
  ending,
}

export const mcp: Row = {
  name: 'mcp',
  does: 'Serve the sandbox to coding agents as an MCP server',
  load: async () => (await import('../mcp-command.ts')).mcp,
  json: false,
  examples: {
    'Serve the running sandbox on stdin and stdout': 'hub-sandbox mcp',
    'Serve a sandbox of its own': 'hub-sandbox exec -- hub-sandbox mcp',
  },
  ending:
    'In the settings of an agent: command "npx", arguments "--no", "hub-sandbox", "mcp".\nOver HTTP, the same server is at /_sandbox/mcp.',
}

export const doctor: Row = {
  name: 'doctor',
  does: 'Check for common problems',
  load: async (codeCache) => {
    const module = await import('../doctor.ts')
    return (options: ControlOptions) => module.doctor(options, codeCache)
  },
  json: 'Print the findings as JSON',
  examples: { 'Check whether clients in this shell reach the sandbox': 'hub-sandbox doctor' },
  ending: 'Exits with 1 if a problem was found; notes are not problems.',
}
