"""What a crawl is asked afterwards; nothing here drives one."""
