import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [react()],
  // The plugin is a link in this repository; without this it would bring a second React.
  resolve: { dedupe: ["react", "react-dom"] },
  server: { port: 8000, strictPort: true },
  build: { reportCompressedSize: false },
})
