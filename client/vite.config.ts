import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The pages `index.html` (the table) and, in development only, `harness.html` (one board, without a server).
export default defineConfig({
  base: '/',
  plugins: [svelte()],
  build: { outDir: 'dist', target: 'es2022', assetsInlineLimit: 0 },
  server: { proxy: { '/api': 'http://127.0.0.1:8377', '/ws': { target: 'ws://127.0.0.1:8377', ws: true } } },
  test: { environment: 'happy-dom', include: ['tests/**/*.test.ts'] },
  resolve: { conditions: ['browser'] },
});
