"""What holds the site's apps together: settings, addresses, the door for a web server."""
