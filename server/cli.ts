#!/usr/bin/env node
import module from 'node:module'

// Static imports would run before the cache is on. Node 20 has none, and its types do not know it.
;(module as { enableCompileCache?: () => unknown }).enableCompileCache?.()
const { main } = await import('./commands/main.ts')
await main(process.argv)
