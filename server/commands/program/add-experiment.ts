import type { Command } from 'commander'
import type { RunOptions } from '../experiments.ts'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

const codes = 'Exits with 0 if the experiment passed, otherwise or on timeout with 1.'

export function addExperiment(program: Command): void {
  const experiment = program
    .command('experiment')
    .description('Check how an app or a receiver reacts to a fault')
  connected(
    experiment
      .command('list', { isDefault: true })
      .description('List experiments with their verdicts (default)')
      .action(async (options: ControlOptions) =>
        (await import('../experiments.ts')).listExperiments(options),
      ),
    {
      json: 'Print the items as JSON',
      examples: [{ does: 'List all experiments', line: 'hub-sandbox experiment' }],
    },
  )
  connected(
    experiment
      .command('run')
      .description('Run an experiment and print its verdict')
      .argument('<id>', 'Experiment, such as nonce')
      .option('--client <id>', 'App to check, by client id or name (default: any)')
      .option('--webhook <id>', 'Webhook to check (default: the last one used)')
      .option('--play', 'Test the demo app of the sandbox')
      .option('--timeout <seconds>', 'Time to wait for the app (default: 60)')
      .action(async (id: string, options: RunOptions) =>
        (await import('../experiments.ts')).runExperiment(id, options),
      ),
    {
      json: 'Print the experiment as JSON',
      examples: [
        {
          does: 'Send the demo app an ID token with another nonce',
          line: 'hub-sandbox experiment run nonce --play',
        },
      ],
      ending: `Sign in with your app while the command runs. However it ends (verdict, timeout, Ctrl-C), no response is changed afterwards. ${codes}`,
    },
  )
  connected(
    experiment
      .command('verdict')
      .description('Print the verdict of the last run')
      .argument('<id>', 'Experiment, such as nonce')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../experiments.ts')).showVerdict(id, options),
      ),
    {
      json: 'Print the experiment as JSON',
      examples: [
        { does: 'Print the verdict of a run', line: 'hub-sandbox experiment verdict nonce' },
      ],
      ending: codes,
    },
  )
  connected(
    experiment
      .command('stop')
      .description('Stop an experiment and delete its verdict')
      .argument('<id>', 'Experiment, such as nonce')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../experiments.ts')).stopExperiment(id, options),
      ),
    {
      examples: [{ does: 'Return to normal responses', line: 'hub-sandbox experiment stop nonce' }],
    },
  )
}
