import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const sandbox = process.env['HUB_SANDBOX_URL'] ?? 'http://localhost:7420'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/_sandbox/',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // The page's policy allows neither data: addresses nor anything inline.
    assetsInlineLimit: 0,
    // It comes from this very machine: nobody waits for a download.
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    proxy: {
      '^/_sandbox/(api|health|openapi\\.json)': sandbox,
      '/_sandbox/live': { target: sandbox, ws: true },
    },
  },
})
