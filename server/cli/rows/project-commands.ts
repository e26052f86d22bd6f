import { frameworks } from '../../contract/words/sandbox-words.ts'
import type { Row } from '../program/row.ts'

export const init: Row = {
  name: 'init [file]',
  does: 'Write a starter fixtures file, or copy a sample project',
  arguments: {
    file: 'File to write (default: hub-sandbox.json, with --agent SKILL.md), or folder of the sample',
  },
  options: {
    '--agent': 'Write a skill file for coding agents instead',
    '--sample [name]': {
      help: 'Copy a sample project instead; without a name, list them',
      of: 'sample',
    },
  },
  connects: false,
  load: async () => (await import('../init.ts')).init,
  json: 'Print the path as JSON',
  apart: [['agent', 'sample']],
  examples: {
    'Write hub-sandbox.json, which "start" finds by itself': 'hub-sandbox init',
    'Write YAML instead': 'hub-sandbox init hub-sandbox.yaml',
    'Tell a coding agent how to test your app':
      'hub-sandbox init --agent .claude/skills/hub-sandbox/SKILL.md',
    'List the sample projects': 'hub-sandbox init --sample',
    'Copy the one with pytest into the folder pytest': 'hub-sandbox init --sample pytest',
  },
  ending: 'Exits with 2 if a file exists; none is ever overwritten.',
}

export const env: Row = {
  name: 'env',
  does: 'Print the environment variables for a client app',
  options: {
    '--shell': 'Print lines for a POSIX shell (default)',
    '--json': 'Print JSON',
    '--dotenv': 'Print a .env file',
    '--client <id>': { help: 'Client id or name (default: first app with a secret)', of: 'app' },
    '--space <name>': { help: 'Use the app of this Space', of: 'space' },
    '--back-channel': 'Use the URL of --back-channel-url',
    '--for <program>': {
      help: 'Print a program that signs in, or settings, for a framework or client (see below)',
      of: 'program',
    },
  },
  load: async () => (await import('../env.ts')).env,
  json: false,
  apart: [
    ['shell', 'json', 'dotenv', 'for'],
    ['client', 'space'],
  ],
  examples: {
    'Set the variables in this shell': 'eval "$(hub-sandbox env)"',
    'Write a .env file': 'hub-sandbox env --dotenv > .env',
    'Write a Next.js program that signs in as an app':
      "hub-sandbox env --client 'Team Dashboard' --for nextjs | sh",
  },
  ending: `Programs for --for: ${frameworks.join(', ')}.
They come as a shell script that writes their files and .env, unless one of them exists. Small programs: python, openid-client, mcp.
If env fails, eval fails too, and HF_ENDPOINT is a URL that no client can reach, so that no app uses the real Hub by mistake.`,
}

export const docs: Row = {
  name: 'docs [page]',
  does: 'Print a page of the documentation',
  arguments: { page: { help: 'Name of a page (default: list all pages)', of: 'page' } },
  connects: false,
  load: async () => (await import('../docs.ts')).docs,
  json: 'Print JSON',
  examples: {
    'List the pages': 'hub-sandbox docs',
    'Read how to test a Python app': 'hub-sandbox docs python',
  },
  ending: 'Exits with 2 if there is no such page.',
}

export const completion: Row = {
  name: 'completion <shell>',
  does: 'Print a shell completion script',
  arguments: { shell: { help: 'Shell: bash, zsh or fish', of: 'shell' } },
  connects: false,
  load: async () => (await import('../completion.ts')).completion,
  json: false,
  examples: {
    'Enable completion in this shell': 'eval "$(hub-sandbox completion bash)"',
    'Save the script for fish': 'hub-sandbox completion fish > hub-sandbox.fish',
  },
}
