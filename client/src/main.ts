import { mount } from 'svelte';
import './app.css';
import './ui.css';
import App from './App.svelte';
import { watchMouse } from './lib/hover';
import { isLang, preferred, setLang } from './lib/i18n.svelte';
import { prefs, showTheme } from './lib/prefs.svelte';
import { keepScale } from './lib/scale';

showTheme();
keepScale();
watchMouse();
const lang = isLang(prefs.lang) ? prefs.lang : preferred(navigator.languages);
await setLang(lang);
mount(App, { target: document.getElementById('app')! });
