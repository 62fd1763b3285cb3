import { mount } from 'svelte';
import './app.css';
import './ui.css';
import Harness from './Harness.svelte';

mount(Harness, { target: document.getElementById('app')! });
