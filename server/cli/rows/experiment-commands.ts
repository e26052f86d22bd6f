import { call } from '../program/call.ts'
import { group } from '../program/row.ts'

const codes = 'Exits with 0 if the experiment passed, otherwise or on timeout with 1.'

const id = { help: 'Experiment, such as nonce', of: 'experiment' } as const

export const experiment = group('experiment', 'Check how an app or a receiver reacts to a fault', [
  call('GET experiments', {
    name: 'list',
    does: 'List experiments with their verdicts (default)',
    isDefault: true,
    columns: ({ id, title, verdict }) => [id, title, verdict?.state ?? ''],
    examples: { 'List all experiments': 'hub-sandbox experiment' },
  }),
  {
    name: 'run <id>',
    does: 'Run an experiment and print its verdict',
    arguments: { id },
    options: {
      '--client <id>': { help: 'App to check, by client id or name (default: any)', of: 'app' },
      '--webhook <id>': { help: 'Webhook to check (default: the last one used)', of: 'webhook' },
      '--play': 'Test the demo app of the sandbox',
      '--timeout <seconds>': 'Time to wait for the app (default: 60)',
    },
    load: async () => (await import('../experiments-command.ts')).runExperiment,
    json: 'Print the experiment as JSON',
    examples: {
      'Send the demo app an ID token with another nonce': 'hub-sandbox experiment run nonce --play',
    },
    ending: `Sign in with your app while the command runs. However it ends (verdict, timeout, Ctrl-C), no response is changed afterwards. ${codes}`,
  },
  {
    name: 'verdict <id>',
    does: 'Print the verdict of the last run',
    arguments: { id },
    load: async () => (await import('../experiments-command.ts')).showVerdict,
    json: 'Print the experiment as JSON',
    examples: { 'Print the verdict of a run': 'hub-sandbox experiment verdict nonce' },
    ending: codes,
  },
  call('DELETE experiments/:id/run', {
    name: 'stop <id>',
    does: 'Stop an experiment and delete its verdict',
    arguments: { id },
    examples: { 'Return to normal responses': 'hub-sandbox experiment stop nonce' },
  }),
])
