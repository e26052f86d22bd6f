import type { Framework } from '../../contract/words/sandbox-words.ts'

/** A program that signs in with a framework: a recipe, whose folder is tested as a whole. */
export interface FrameworkProgram {
  /** Folder below `test/recipes/`. */
  folder: string
  /** Files of the folder, in reading order. */
  files: readonly string[]
  /** File of the folder that lists the packages. */
  packages?: 'package.json' | 'requirements.txt' | 'go.mod'
  command: string
  /** Origin of the program; absent: it serves nothing. */
  origin?: string
  /** Redirect URI, relative to the origin. */
  callback?: string
  /** Variables besides those of every client. */
  environment?: Readonly<Record<string, string>>
  /** Kind of app that the framework requires. */
  requires?: 'secret' | 'public'
}

const sessionSecret = 'not-for-production-0123456789abcdef'

export const programs: Readonly<Record<Framework, FrameworkProgram>> = {
  'auth-js': {
    folder: 'auth-js',
    files: ['server.js'],
    packages: 'package.json',
    command: 'node server.js',
    origin: 'http://localhost:3000',
    callback: '/auth/callback/huggingface',
    environment: { PORT: '3000', AUTH_SECRET: sessionSecret },
  },
  'better-auth': {
    folder: 'better-auth',
    files: ['auth.js', 'server.js'],
    packages: 'package.json',
    command: 'node server.js',
    origin: 'http://localhost:3000',
    callback: '/api/auth/callback/huggingface',
    environment: { PORT: '3000', BETTER_AUTH_SECRET: sessionSecret },
  },
  passport: {
    folder: 'express-passport',
    files: ['server.js'],
    packages: 'package.json',
    command: 'node server.js',
    origin: 'http://localhost:3000',
    callback: '/auth/huggingface/callback',
    environment: { PORT: '3000' },
  },
  nextjs: {
    folder: 'nextjs',
    files: ['auth.js', 'app/api/auth/[...nextauth]/route.js', 'app/page.js', 'app/layout.js'],
    packages: 'package.json',
    command: 'npx next dev',
    origin: 'http://localhost:3000',
    callback: '/api/auth/callback/huggingface',
    environment: { PORT: '3000', AUTH_SECRET: sessionSecret },
  },
  hono: {
    folder: 'hono',
    files: ['server.js'],
    packages: 'package.json',
    command: 'node server.js',
    origin: 'http://localhost:3000',
    callback: '/callback',
    environment: { PORT: '3000' },
  },
  authlib: {
    folder: 'flask-authlib',
    files: ['app.py'],
    packages: 'requirements.txt',
    command: 'python3 app.py',
    origin: 'http://localhost:8000',
    callback: '/callback',
    environment: { PORT: '8000' },
  },
  fastapi: {
    folder: 'fastapi-authlib',
    files: ['app.py'],
    packages: 'requirements.txt',
    command: 'python3 app.py',
    origin: 'http://localhost:8000',
    callback: '/callback',
    environment: { PORT: '8000' },
  },
  gradio: {
    folder: 'gradio-space',
    files: ['app.py'],
    packages: 'requirements.txt',
    command: 'python3 app.py',
    origin: 'http://localhost:7860',
    callback: '/login/callback?_target_url=%2F',
    environment: { GRADIO_SERVER_NAME: 'localhost', GRADIO_SERVER_PORT: '7860' },
    requires: 'secret',
  },
  go: {
    folder: 'go-oauth2',
    files: ['main.go'],
    packages: 'go.mod',
    command: 'go run .',
    origin: 'http://localhost:3000',
    callback: '/callback',
    environment: { PORT: '3000' },
  },
  'huggingface-js': {
    folder: 'spa-huggingface-hub',
    files: ['main.js', 'index.html', 'vite.config.js'],
    packages: 'package.json',
    command: 'npx vite',
    origin: 'http://localhost:3000',
    callback: '/',
    environment: { PORT: '3000' },
    requires: 'public',
  },
  curl: {
    folder: 'curl',
    files: ['sign-in.sh'],
    command: 'sh sign-in.sh',
  },
}
