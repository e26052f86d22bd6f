import type { Command } from 'commander'
import { cookieModes } from '../../contract/words/frames.ts'
import type { SpaceFrameOptions } from '../space-frame.ts'
import { connected } from './define.ts'

export function addSpaceFrame(program: Command): void {
  connected(
    program
      .command('space-frame <url>')
      .description('Show an app in a cross-site frame, as the Hub does')
      .option('--space <name>', 'Space that the app is')
      .option('--mode <mode>', `Rules for cookies: ${cookieModes.join(', ')}`)
      .option('--frame-port <port>', 'Port of the frame (default: any free port)')
      .option('--open', 'Open the page in the browser')
      .action(async (url: string, { framePort, ...options }: GivenOptions) =>
        (await import('../space-frame.ts')).spaceFrame(url, {
          ...options,
          ...(framePort === undefined ? {} : { port: framePort }),
        }),
      ),
    {
      json: 'Print a line of JSON for the frame and for each verdict on a cookie',
      examples: [
        {
          does: 'Frame the app on port 7860 until Ctrl-C',
          line: 'hub-sandbox space-frame localhost:7860',
          endless: true,
        },
        {
          does: 'Try it where browsers block third-party cookies',
          line: 'hub-sandbox space-frame localhost:7860 --mode partitioned',
          endless: true,
        },
      ],
      ending: 'Exit codes: 0 after Ctrl-C or when the frame is closed; 1 connection lost.',
    },
  )
}

type GivenOptions = Omit<SpaceFrameOptions, 'port'> & { framePort?: string }
