import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { packFiles } from './pack-files.ts'

const sandbox = process.env['HUB_SANDBOX_URL'] ?? 'http://localhost:7420'

/** Modules that the first page does not need, and the parts of packages that only they use. */
const later = [
  /renderer\/features\/(?!home\/(?!(?:pending-)?devices))/,
  /renderer\/app\/[\w-]+-page\./,
  /renderer\/shared\/(compare\/|(audit-view|code-pane|detail-panel|fix-change|form-error|json-view|permanent-fix|receive-\w+|report-menu|resource-page|suggested-fixes)\.)/,
  /renderer\/ui\/(avatar|gauge|menu|palette|select|switch|table|tabs)\./,
  /@base-ui\/react\/(checkbox|combobox|menu|select|switch|tabs)/,
  /@tanstack\/(react-virtual|virtual-core)/,
]
const isLater = (id: string) => later.some((pattern) => pattern.test(id))

/** Modules of the first page that others import as well. The file "later" would take those that its own modules import. */
const shared = [
  /(renderer\/(api|ui|shared|lib)|server\/contract)\//,
  /renderer\/(app|features\/home)\/words\./,
]
const isShared = (id: string) => !isLater(id) && shared.some((pattern) => pattern.test(id))

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/_sandbox/',
  plugins: [react(), tailwindcss(), packFiles()],
  build: {
    outDir: '../dist/renderer',
    license: { fileName: '.vite/packages.json' },
    emptyOutDir: true,
    // The page's content security policy forbids data: URLs and inline content.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // The default makes a file of each set of shared modules: dozens, which compress badly.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              priority: 3,
              test: (id) => id.includes('node_modules') && !isLater(id),
            },
            {
              name: 'shared',
              priority: 2,
              test: isShared,
            },
            { name: 'later', priority: 1, test: isLater },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '^/_sandbox/(api|health|openapi\\.json)': sandbox,
      '/_sandbox/live': { target: sandbox, ws: true },
    },
  },
})
